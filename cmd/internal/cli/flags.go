package cli

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

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
	given   bool
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "NAME" }

func (c *choice) Set(s string) error {
	if slices.Contains(c.allowed, string(prepare.Yes)) {
		s = yesOrNo(s)
	}
	for _, a := range c.allowed {
		if s == a {
			c.value, c.given = s, true
			return nil
		}
	}
	return fmt.Errorf("want %s", either(c.allowed))
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

// newChoice returns a choice among words of any string type.
func newChoice[S ~string](value S, allowed ...S) *choice {
	c := &choice{value: string(value)}
	for _, a := range allowed {
		c.allowed = append(c.allowed, string(a))
	}
	return c
}

// either returns "a, b or c".
func either(options []string) string { return words.List(options, "or") }

// A number is a flag that takes a finite number, or may be left out. Not all
// numbers are sensible where it stands: want says which, ok tells.
type number struct {
	value float64
	given bool
	want  string
	ok    func(float64) bool
}

func (n *number) Type() string { return "X" }

func (n *number) String() string {
	if n.value == 0 && !n.given {
		return ""
	}
	return strconv.FormatFloat(n.value, 'g', -1, 64)
}

func (n *number) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) || !n.ok(v) { // !ok(NaN) for every comparison
		return errors.New("want " + n.want)
	}
	n.value, n.given = v, true
	return nil
}

func positive() *number {
	return &number{want: "a positive number", ok: func(v float64) bool { return v > 0 }}
}

func notNegative() *number {
	return &number{want: "a non-negative number", ok: func(v float64) bool { return v >= 0 }}
}

// A count is a flag that takes a whole number within bounds, or may be left out.
type count struct {
	value, least int
	most         int // zero means no bound
	given        bool
}

func (c *count) Type() string { return "N" }

func (c *count) String() string {
	if c.value == 0 && !c.given {
		return ""
	}
	return strconv.Itoa(c.value)
}

func (c *count) Set(s string) error {
	v, err := strconv.Atoi(s)
	switch outside := err != nil || v < c.least || c.most > 0 && v > c.most; {
	case outside && c.most > 0:
		return fmt.Errorf("want an integer from %d to %d", c.least, c.most)
	case outside:
		return fmt.Errorf("want an integer of at least %d", c.least)
	}
	c.value, c.given = v, true
	return nil
}

// flagError puts what pflag says into our words.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		why := e.Unwrap().Error()
		if errors.Is(e, errNoName) {
			return misuse("--%s %s", e.GetFlag().Name, why)
		}
		switch e.GetFlag().Value.Type() {
		case "uint64":
			why = "want an integer of at least 0"
		case "bool":
			why = "want true or false"
		}
		return misuse("--%s %q: %s", e.GetFlag().Name, e.GetValue(), why)
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if e.GetSpecifiedShortnames() != "" {
			return misuse("unknown flag -%s", e.GetSpecifiedName())
		}
		return misuse("unknown flag --%s%s", e.GetSpecifiedName(), nearestFlag(cmd, e.GetSpecifiedName()))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return misuse("--%s needs a value", e.GetSpecifiedName())
	}
	return misuse("%s", err)
}

// nearestFlag asks whether a flag was meant that begins like the one given, or the
// other way round.
func nearestFlag(cmd *cobra.Command, given string) string {
	var near []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, given) || strings.HasPrefix(given, f.Name) {
			near = append(near, "--"+f.Name)
		}
	})
	if len(near) == 0 || len(given) < 2 {
		return ""
	}
	return "; did you mean " + either(near) + "?"
}

// completeChoices lets shells complete the words that flags take.
func completeChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch v := f.Value.(type) {
		case *choice:
			mustComplete(cmd, f.Name, cobra.FixedCompletions(v.allowed, cobra.ShellCompDirectiveNoFileComp))
		case *boundWord:
			mustComplete(cmd, f.Name, cobra.FixedCompletions(v.allowed, cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// mustComplete registers a completion; that fails only if the flag is not there.
func mustComplete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// A timeSpan is a flag that takes a time, such as 90s or 5m.
type timeSpan struct {
	value time.Duration
	given bool
}

func (t *timeSpan) Type() string { return "TIME" }

func (t *timeSpan) String() string {
	if !t.given {
		return ""
	}
	return t.value.String()
}

func (t *timeSpan) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v < 0 {
		return errors.New("want a time such as 90s or 5m, or 0")
	}
	t.value, t.given = v, true
	return nil
}

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
