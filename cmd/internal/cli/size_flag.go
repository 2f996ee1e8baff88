package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// A size is a flag that takes a number of bytes, such as 256MB.
type size struct {
	bytes int64 // 0 if not given
	text  string
}

func (s *size) Type() string   { return "SIZE" }
func (s *size) String() string { return s.text }

// units of a size, the longer names first.
var units = []struct {
	name  string
	bytes float64
}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

func (s *size) Set(text string) error {
	for _, unit := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(text), unit.name)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if bytes := v * unit.bytes; err == nil && bytes >= 1 && bytes < math.MaxInt64/8 {
			s.bytes, s.text = int64(bytes), text
			return nil
		}
		break
	}
	return errors.New("want a size such as 256MB or 4GB")
}
