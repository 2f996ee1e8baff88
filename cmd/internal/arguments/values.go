// Package arguments turns the flags of every command into the document of a run, or into
// the few options that a command has besides. It reads command lines and shows nothing.
package arguments

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

// The values of flags stand where they are used: what is typed is put there, and what is there
// can be typed again. A flag whose String is empty is not set.

// A boundText is a flag for a text, if check has nothing against it.
type boundText struct {
	to    *string
	kind  string // of the value, in the help
	check func(text string) error
}

func (b *boundText) String() string { return *b.to }

func (b *boundText) Type() string { return b.kind }

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

// yesOrNo returns yes and no for the true and false of other languages, so that R and
// MATLAB need not know which flags take which words.
func yesOrNo(s string) string {
	switch s {
	case "true":
		return string(prepare.Yes)
	case "false":
		return string(prepare.No)
	}
	return s
}

// boundTo returns a flag for one of a few words of any string type.
func boundTo[S ~string](to *string, allowed ...S) *boundWord {
	var names []string
	for _, a := range allowed {
		names = append(names, string(a))
	}
	check := func(text string) error {
		if !slices.Contains(names, text) {
			return fmt.Errorf("want %s", either(names))
		}
		return nil
	}
	return &boundWord{boundText{to, "NAME", check}, names}
}

// either returns "a, b or c".
func either(options []string) string { return words.List(options, "or") }

// boundName returns a flag for a name, which must not be empty.
func boundName(to *string, kind string, empty error) *boundText {
	return &boundText{to, kind, func(text string) error {
		if text == "" {
			return empty
		}
		return nil
	}}
}

// boundFile returns a flag for the name of a file.
func boundFile(to *string) *boundText { return boundName(to, "FILE", document.ErrNoFile) }

// boundString returns a flag for any text.
func boundString(to *string) *boundText {
	return &boundText{to, "string", func(string) error { return nil }}
}

// A boundCount takes a whole number within bounds.
type boundCount struct {
	to          *int
	least, most int // no most is no bound
}

func (b *boundCount) Type() string { return "N" }

func (b *boundCount) String() string {
	if *b.to == 0 {
		return ""
	}
	return strconv.Itoa(*b.to)
}

func (b *boundCount) Set(text string) error {
	if err := document.CheckWhole(text, b.least, b.most); err != nil {
		return err
	}
	v, _ := strconv.Atoi(text)
	*b.to = v
	return nil
}

// maxThreads keeps a slip of the finger from starting a million workers.
const maxThreads = 1024

// defineThreads defines the flag for the number of cores, which are all of them if it is 0.
func defineThreads(s *pflag.FlagSet, to *int, what string) {
	s.Var(&boundCount{to, 0, maxThreads}, "threads", "number of cores, 0 for all; does not affect "+what+" (default 0)")
}

// A boundNumber takes a finite number. Not all numbers are sensible where it stands: want
// says which, ok tells.
type boundNumber struct {
	to   *float64
	want string
	ok   func(float64) bool
}

func (b *boundNumber) Type() string { return "X" }

func (b *boundNumber) String() string {
	if *b.to == 0 {
		return ""
	}
	return strconv.FormatFloat(*b.to, 'g', -1, 64)
}

func (b *boundNumber) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || !b.ok(v) { // !ok(NaN) for every comparison
		return errors.New("want " + b.want)
	}
	*b.to = v
	return nil
}

func positive(to *float64) *boundNumber {
	return &boundNumber{to, "a positive number", func(v float64) bool { return v > 0 }}
}

func notNegative(to *float64) *boundNumber {
	return &boundNumber{to, "a non-negative number", func(v float64) bool { return v >= 0 }}
}

// boundRate takes a share between 0 and 1.
func boundRate(to *float64) *boundNumber {
	return &boundNumber{to, "a number between 0 and 1", func(v float64) bool { return v > 0 && v < 1 }}
}

// A boundFunc is a flag with a meaning of its own.
type boundFunc struct {
	kind string
	get  func() string
	set  func(text string) error
}

func (b boundFunc) Type() string { return b.kind }

func (b boundFunc) String() string { return b.get() }

func (b boundFunc) Set(text string) error { return b.set(text) }

// auto leaves a choice to the program.
const auto = "auto"

// orAuto is a flag that takes a number, or auto; choose is told which.
func orAuto(number pflag.Value, choose func(bool)) boundFunc { return orWord(auto, number, choose) }

// orWord is a flag that takes a number, or a word; choose is told which.
func orWord(word string, number pflag.Value, choose func(bool)) boundFunc {
	return boundFunc{"string", number.String, func(text string) error {
		if choose(text == word); text == word {
			return nil
		}
		if err := number.Set(text); err != nil {
			return fmt.Errorf("%w, or %s", err, word)
		}
		return nil
	}}
}

// boundTime takes a time, such as 90s or 5m, or 0.
func boundTime(to **time.Duration) boundFunc {
	get := func() string {
		if *to == nil {
			return ""
		}
		return (*to).String()
	}
	return boundFunc{"TIME", get, func(text string) error {
		v, err := time.ParseDuration(text)
		if err != nil || v < 0 {
			return errors.New("want a time such as 90s or 5m, or 0")
		}
		*to = &v
		return nil
	}}
}

// units of a size, the longer names first.
var units = []struct {
	name  string
	bytes float64
}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

// boundSize takes a number of bytes, such as 256MB.
func boundSize(to *int64) boundFunc {
	return boundFunc{"SIZE", func() string { return "" }, func(text string) error {
		for _, unit := range units {
			number, ok := strings.CutSuffix(strings.ToUpper(text), unit.name)
			if !ok {
				continue
			}
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if bytes := v * unit.bytes; err == nil && bytes >= 1 && bytes < math.MaxInt64/8 {
				*to = int64(bytes)
				return nil
			}
			break
		}
		return errors.New("want a size such as 256MB or 4GB")
	}}
}

// withDefault defines a flag whose value if nothing is said is shown in the help.
func withDefault(s *pflag.FlagSet, value pflag.Value, name, byDefault, usage string) {
	s.Var(value, name, usage)
	s.Lookup(name).DefValue = byDefault
}

// GroupKey is the annotation for the heading that a flag stands under in the help.
const GroupKey = "group"

// addFlags defines flags on a command, under a heading.
func addFlags(cmd *cobra.Command, title string, define func(*pflag.FlagSet)) {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	define(set)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[GroupKey] = []string{title}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
}
