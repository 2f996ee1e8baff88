package cli

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/study"
)

// Flags that are keys of the document of a run: what is typed is put there, and what is
// there can be typed again. A flag whose String is empty is not set.

// A boundText is a flag whose text stands in a document, if check has nothing against it.
type boundText struct {
	to    *string
	kind  string // of the value, in the help
	check func(text string) error
}

func (b *boundText) String() string { return *b.to }
func (b *boundText) Type() string   { return b.kind }

func (b *boundText) Set(text string) error {
	if err := b.check(text); err != nil {
		return err
	}
	*b.to = text
	return nil
}

// A boundWord takes one of a few words.
type boundWord struct {
	boundText
	allowed []string
}

// Set takes true and false for yes and no, too.
func (b *boundWord) Set(text string) error {
	if slices.Contains(b.allowed, string(prepare.Yes)) {
		text = yesOrNo(text)
	}
	return b.boundText.Set(text)
}

// boundTo returns a flag for one of a few words.
func boundTo[S ~string](to *string, allowed ...S) *boundWord {
	words := newChoice("", allowed...).allowed
	check := func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want %s", either(words))
		}
		return nil
	}
	return &boundWord{boundText{to, "NAME", check}, words}
}

// errNoName is what is wrong with an empty name of a file.
var errNoName = errors.New("needs a file name")

// boundFile returns a flag for the name of a file.
func boundFile(to *string) *boundText {
	return &boundText{to, "FILE", func(text string) error {
		if text == "" {
			return errNoName
		}
		return nil
	}}
}

// boundString returns a flag for any text.
func boundString(to *string) *boundText {
	return &boundText{to, "string", func(string) error { return nil }}
}

// boundBool defines a flag that is set or not.
func boundBool(s *pflag.FlagSet, to *bool, name, usage string) {
	get := func() string { return strings.TrimPrefix(strconv.FormatBool(*to), "false") }
	s.Var(boundFunc{"bool", get, func(text string) (err error) {
		*to, err = strconv.ParseBool(text)
		return err
	}}, name, usage)
	s.Lookup(name).NoOptDefVal = "true"
}

// boundSeed takes a seed.
func boundSeed(to *uint64) boundFunc {
	get := func() string { return strings.TrimPrefix(strconv.FormatUint(*to, 10), "0") }
	return boundFunc{"uint64", get, func(text string) (err error) {
		*to, err = strconv.ParseUint(text, 0, 64)
		return err
	}}
}

// boundSpan returns a flag for a positive span of time, also in days and weeks.
func boundSpan(to *string) *boundText {
	return &boundText{to, "TIME", func(text string) error {
		if _, err := words.ParseSpan(text); err != nil {
			return errors.New("want a span of time such as 15m, 1h, 7d or 2w")
		}
		return nil
	}}
}

// boundLength returns a flag for a number of observations or a span of time.
func boundLength(to *string) *boundText {
	return &boundText{to, "LENGTH", func(text string) error {
		_, err := study.ParseLength(text)
		return err
	}}
}

// A boundCount takes a whole number within bounds.
type boundCount struct {
	to *int
	count
}

func (b *boundCount) String() string {
	if *b.to == 0 {
		return ""
	}
	return strconv.Itoa(*b.to)
}

func (b *boundCount) Set(text string) error {
	err := b.count.Set(text)
	if err == nil {
		*b.to = b.value
	}
	return err
}

// A boundNumber takes a positive number.
type boundNumber struct{ to *float64 }

func (b boundNumber) Type() string { return "X" }

func (b boundNumber) String() string {
	if *b.to == 0 {
		return ""
	}
	return strconv.FormatFloat(*b.to, 'g', -1, 64)
}

func (b boundNumber) Set(text string) error {
	n := positive()
	err := n.Set(text)
	if err == nil {
		*b.to = n.value
	}
	return err
}

// A boundFunc is a flag with a meaning of its own.
type boundFunc struct {
	kind string
	get  func() string
	set  func(text string) error
}

func (b boundFunc) Type() string          { return b.kind }
func (b boundFunc) String() string        { return b.get() }
func (b boundFunc) Set(text string) error { return b.set(text) }

// A boundList is one that may be repeated.
type boundList struct {
	boundFunc
	all func() []string
}

func (b boundList) GetSlice() []string       { return b.all() }
func (b boundList) Append(text string) error { return b.set(text) }
func (b boundList) Replace([]string) error   { return errors.ErrUnsupported }

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
	return boundFunc{"X", boundNumber{&p.LogOffset}.String, func(text string) error {
		n := notNegative()
		if err := n.Set(text); err != nil {
			return err
		}
		p.Log, p.LogOffset = true, n.value
		return nil
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
	get := func() string {
		if c.Rule == graph.CutThreshold || c.Threshold > 0 {
			return strconv.FormatFloat(c.Threshold, 'g', -1, 64)
		}
		return strings.TrimPrefix(string(c.Rule), string(graph.CutEdges))
	}
	return boundFunc{"string", get, func(text string) error {
		n := notNegative()
		switch err := n.Set(text); {
		case text == "auto":
			c.Rule, c.Threshold = graph.CutAuto, 0
		case err != nil:
			return fmt.Errorf("%w, or auto", err)
		default:
			c.Rule, c.Threshold = graph.CutThreshold, n.value
		}
		return nil
	}}
}

// boundSparsity takes a number of atoms, or auto.
func boundSparsity(m *document.RunMethod) boundFunc {
	number := &boundCount{&m.Sparsity, count{least: 1}}
	return boundFunc{"string", number.String, func(text string) error {
		if m.Sparsity = 0; text == sparsityAuto {
			return nil
		}
		if err := number.Set(text); err != nil {
			return fmt.Errorf("%w, or auto", err)
		}
		return nil
	}}
}

// sparsityAuto has as many atoms a signal as the signals ask for.
const sparsityAuto = "auto"

// boundSample takes a number of signals, 0 for all of them.
func boundSample(r *document.Run) boundFunc {
	get := func() string {
		if r.AllSignals {
			return "0"
		}
		return (&boundCount{to: &r.Sample}).String()
	}
	return boundFunc{"N", get, func(text string) error {
		err := (&boundCount{&r.Sample, count{least: 0}}).Set(text)
		r.AllSignals = err == nil && r.Sample == 0
		return err
	}}
}

// boundLimit takes a time, 0 for no limit.
func boundLimit(to *string) boundFunc {
	get := func() string { return strings.Replace(*to, "none", "0", 1) }
	return boundFunc{"TIME", get, func(text string) error {
		limit, err := time.ParseDuration(text)
		switch {
		case err != nil || limit < 0:
			return errors.New("want a time such as 90s or 5m, or 0")
		case limit == 0:
			text = "none"
		}
		*to = text
		return nil
	}}
}

// boundFolds takes a number of folds, 0 for no ranking.
func boundFolds(c *document.RunCompare) boundFunc {
	get := func() string {
		if c.Unranked {
			return "0"
		}
		return (&boundCount{to: &c.Folds}).String()
	}
	return boundFunc{"N", get, func(text string) error {
		err := (&boundCount{&c.Folds, count{least: 0}}).Set(text)
		c.Unranked = err == nil && c.Folds == 0
		return err
	}}
}
