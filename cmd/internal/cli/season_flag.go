package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/nervure/nervure/prepare"
)

// A seasonFlag is auto, no or the periods of cycles, in observations.
type seasonFlag struct {
	text    string
	periods []float64
}

func (f *seasonFlag) Type() string { return "N" }

func (f *seasonFlag) String() string {
	if f.text == "" {
		return string(prepare.Auto)
	}
	return f.text
}

func (f *seasonFlag) Set(text string) error {
	text = yesOrNo(text)
	f.text, f.periods = text, nil
	if text == string(prepare.Auto) || text == string(prepare.No) {
		return nil
	}
	for word := range strings.SplitSeq(text, ",") {
		period, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(period >= 2) || math.IsInf(period, 0) {
			return errors.New("want auto, no, or numbers of observations of at least 2, such as 24 or 24,168")
		}
		f.periods = append(f.periods, period)
	}
	return nil
}

// choice says whether cycles are removed.
func (f *seasonFlag) choice() prepare.Choice {
	switch {
	case f.periods != nil:
		return prepare.Yes
	case f.text == string(prepare.No):
		return prepare.No
	}
	return prepare.Auto
}
