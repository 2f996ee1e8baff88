package arguments

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/prepare"
)

// Flags that stand for several keys of the document of a run, or for one in other words.

// A boundList may be repeated.
type boundList struct {
	boundFunc
	all func() []string
}

func (b boundList) GetSlice() []string { return b.all() }

func (b boundList) Append(text string) error { return b.set(text) }

func (b boundList) Replace([]string) error { return errors.ErrUnsupported }

func newBoundList(kind string, all func() []string, set func(string) error) boundList {
	return boundList{boundFunc{kind, func() string { return strings.Join(all(), ",") }, set}, all}
}

// boundSeason takes auto, no or the periods of cycles, in observations.
func boundSeason(p *document.RunPrepare) boundFunc {
	get := func() string {
		var periods []string
		for _, v := range p.Periods {
			periods = append(periods, strconv.FormatFloat(v, 'g', -1, 64))
		}
		if periods != nil {
			return strings.Join(periods, ",")
		}
		return p.Season
	}
	return boundFunc{"N", get, func(text string) error {
		text = yesOrNo(text)
		p.Season, p.Periods = text, nil
		if text == string(prepare.Auto) || text == string(prepare.No) {
			return nil
		}
		p.Season = string(prepare.Yes)
		for word := range strings.SplitSeq(text, ",") {
			period, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || !(period >= 2) || math.IsInf(period, 0) {
				return errors.New("want auto, no, or numbers of observations of at least 2, such as 24 or 24,168")
			}
			p.Periods = append(p.Periods, period)
		}
		return nil
	}}
}

// boundOffset takes what is added before logarithms, which are then taken.
func boundOffset(p *document.RunPrepare) boundFunc {
	number := notNegative(&p.LogOffset)
	return boundFunc{"X", number.String, func(text string) error {
		err := number.Set(text)
		p.Log = p.Log || err == nil
		return err
	}}
}

// boundSpecs takes kernels.
func boundSpecs(k *document.RunKernels) boundList {
	return newBoundList("SPEC", func() []string { return k.Given }, func(spec string) error {
		k.Given = append(k.Given, spec)
		return nil
	})
}

// boundParams takes parameters of a method, KEY=VALUE each.
func boundParams(m *document.RunMethod) boundList {
	all := func() []string {
		var list []string
		for _, key := range slices.Sorted(maps.Keys(m.Params)) {
			list = append(list, key+"="+strconv.FormatFloat(m.Params[key], 'g', -1, 64))
		}
		return list
	}
	return newBoundList("stringArray", all, func(param string) error {
		key, text, ok := strings.Cut(param, "=")
		value, err := strconv.ParseFloat(text, 64)
		_, twice := m.Params[key]
		switch {
		case !ok:
			return errors.New("want KEY=VALUE")
		case twice:
			return fmt.Errorf("%s is given twice", key)
		case err != nil || !(value >= 0) || math.IsInf(value, 0):
			return errors.New("want a number of at least 0")
		case m.Params == nil:
			m.Params = document.Params{}
		}
		m.Params[key] = value
		return nil
	})
}

// boundColumns takes columns of a table with commas between them, unless one of that name was meant.
func boundColumns(to *[]string) boundList {
	return newBoundList("COLUMNS", func() []string { return *to }, func(text string) error {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word == "" {
				return errors.New("want names, numbers from 1, and ranges such as 3-10, with commas between them")
			}
			*to = append(*to, word)
		}
		return nil
	})
}

// boundMethods takes names of methods with commas between them.
func boundMethods(c *document.RunCompare) boundFunc {
	return boundFunc{"strings", func() string { return strings.Join(c.Methods, ",") }, func(names string) error {
		for name := range strings.SplitSeq(names, ",") {
			if name = strings.TrimSpace(name); name != "" {
				c.Methods = append(c.Methods, name)
			}
		}
		return nil
	}}
}

// boundThreshold takes a weight, or auto.
func boundThreshold(c *document.RunCut) boundFunc {
	flag := orAuto(notNegative(&c.Threshold), func(yes bool) {
		if c.Rule = graph.CutThreshold; yes {
			c.Rule, c.Threshold = graph.CutAuto, 0
		}
	})
	flag.get = func() string {
		if c.Rule == graph.CutThreshold || c.Threshold > 0 {
			return strconv.FormatFloat(c.Threshold, 'g', -1, 64)
		}
		return strings.TrimPrefix(string(c.Rule), string(graph.CutEdges))
	}
	return flag
}

// boundRate takes a share between 0 and 1.
func boundRate(to *float64) *boundNumber {
	return &boundNumber{to, "a number between 0 and 1", func(v float64) bool { return v > 0 && v < 1 }}
}

// boundFloor takes a partial correlation, or auto.
func boundFloor(to *float64) boundFunc { return orAuto(boundRate(to), func(bool) { *to = 0 }) }

// boundSparsity takes a number of atoms, or auto.
func boundSparsity(m *document.RunMethod) boundFunc {
	return orAuto(&boundCount{to: &m.Sparsity, least: 1}, func(bool) { m.Sparsity = 0 })
}

// boundCountOrNone takes a number, or 0, which is kept apart from one that is not given.
func boundCountOrNone(to *int, none *bool) boundFunc {
	number := &boundCount{to: to}
	get := func() string {
		if *none {
			return "0"
		}
		return number.String()
	}
	return boundFunc{"N", get, func(text string) error {
		err := number.Set(text)
		*none = err == nil && *to == 0
		return err
	}}
}

// boundLimit takes a time, 0 for no limit.
func boundLimit(to *string) boundFunc {
	get := func() string { return strings.Replace(*to, "none", "0", 1) }
	return boundFunc{"TIME", get, func(text string) error {
		var limit *time.Duration
		err := boundTime(&limit).Set(text)
		switch {
		case err != nil:
			return err
		case *limit == 0:
			text = "none"
		}
		*to = text
		return nil
	}}
}

// boundStep takes the step between windows, or the step size of a recipe: which it is,
// other flags say.
func boundStep(to *string) *boundText {
	return &boundText{to, "X", func(text string) error {
		if boundLength(new(string)).check(text) != nil && positive(new(float64)).Set(text) != nil {
			return fmt.Errorf("want a positive number or, with --window, a span of time such as 1d")
		}
		return nil
	}}
}
