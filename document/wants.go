package document

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
)

// wordLists are lists of words that options take.
var wordLists = map[string]func() []string{
	"formats": func() []string { return plainWords(dataio.Formats(dataio.ReadsSignals)) },
	"coders":  func() []string { return plainWords(sparse.Methods()) },
}

func plainWords[S ~string](list []S) []string {
	var names []string
	for _, word := range list {
		names = append(names, string(word))
	}
	return names
}

// What is wrong with an empty name.
var (
	ErrNoFile   = errors.New("needs a file name")
	ErrNoFolder = errors.New("needs the name of a folder")
)

// wants are the rules for values, by the name that a tag gives them. A value is checked here and nowhere
// else, whichever door it comes through.
var wants = map[string]func(text string) error{
	"count":        func(text string) error { return CheckWhole(text, 1, 0) },
	"degree":       func(text string) error { return CheckWhole(text, 1, kernel.MaxDegree) },
	"permutations": func(text string) error { return CheckWhole(text, LeastPermutations, 0) },
	"positive":     CheckPositive,
	"share":        CheckShare,
	"period": func(text string) error {
		const want = "auto, no, or numbers of observations of at least 2, such as 24 or 24,168"
		return checkNumber(text, want, func(x float64) bool { return x >= 2 })
	},
	"span": func(text string) error {
		if _, err := words.ParseSpan(text); err != nil {
			return errors.New("want a span of time such as 15m, 1h, 7d or 2w")
		}
		return nil
	},
	"length": func(text string) error {
		_, _, err := words.ParseLength(text)
		return err
	},
	"limit": func(text string) error {
		if limit, err := time.ParseDuration(text); err != nil || limit <= 0 {
			return errors.New("want a time such as 90s or 5m")
		}
		return nil
	},
	"delimiter": dataio.CheckDelimiter,
	"encoding":  dataio.CheckEncoding,
	"file": func(text string) error {
		if text == "" {
			return ErrNoFile
		}
		return nil
	},
	"input": func(text string) error {
		if text == "" || text == "-" {
			return ErrNoFile
		}
		return nil
	},
}

// CheckWhole refuses what is no whole number within bounds; no most is no bound.
func CheckWhole(text string, least, most int) error {
	v, err := strconv.Atoi(text)
	switch outside := err != nil || v < least || most > 0 && v > most; {
	case outside && most > 0:
		return fmt.Errorf("want an integer from %d to %d", least, most)
	case outside:
		return fmt.Errorf("want an integer of at least %d", least)
	}
	return nil
}

// CheckPositive refuses what is no number above 0.
func CheckPositive(text string) error {
	return checkNumber(text, "a positive number", func(x float64) bool { return x > 0 })
}

// CheckShare refuses what is no number between 0 and 1.
func CheckShare(text string) error {
	return checkNumber(text, "a number between 0 and 1", func(x float64) bool { return x > 0 && x < 1 })
}

// checkNumber refuses what is no finite number, or none that will do.
func checkNumber(text, want string, ok func(float64) bool) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || !ok(x) { // !ok(NaN) for every comparison
		return errors.New("want " + want)
	}
	return nil
}

// Check says what is wrong with a value, or one of a list, as it is typed.
func (o Option) Check(text string) error {
	if list := o.Words(); list != nil {
		return checkWord(text, list)
	}
	if rule := wants[o.Tag.Get("want")]; rule != nil {
		return rule(text)
	}
	switch o.Kind() {
	case reflect.Bool:
		if _, err := strconv.ParseBool(text); err != nil {
			return errors.New("want true or false")
		}
	case reflect.Int:
		return CheckWhole(text, 0, 0)
	case reflect.Uint64:
		if _, err := strconv.ParseUint(text, 0, 64); err != nil {
			return errors.New("want an integer of at least 0")
		}
	case reflect.Float64:
		return checkNumber(text, "a non-negative number", func(x float64) bool { return x >= 0 })
	}
	return nil
}

func checkWord(text string, list []string) error {
	for _, word := range list {
		if text == word {
			return nil
		}
	}
	return errors.New("want " + words.List(list, "or"))
}

// CheckNumber says what is wrong with a number at a key; 0 is the default.
func CheckNumber(key string, value float64) error {
	o, _ := OptionAt(key)
	if value == 0 {
		return nil
	}
	text := strconv.FormatFloat(value, 'g', -1, 64)
	if err := o.Check(text); err != nil {
		return fmt.Errorf("got %s, %w", text, err)
	}
	return nil
}

// checkOptions refuses values that cannot stand at their keys.
func (r *Run) checkOptions() error {
	for _, o := range allOptions() {
		if strings.HasPrefix(o.Key, "compare.") && r.Compare == nil {
			continue
		}
		v := o.value(r)
		word, isWord := o.Tag.Lookup("zero")
		if isWord && v.Kind() == reflect.String && v.String() == word || v.Kind() == reflect.Map {
			continue
		}
		for _, text := range textsOf(v) {
			err := o.Check(text)
			switch {
			case err == nil:
				continue
			case errors.Is(err, ErrNoFile):
				return faultf("`%s` %s", o.Key, err)
			case o.Kind() != reflect.String:
				return faultf("`%s`: got %s, %s", o.Key, text, err)
			case isWord:
				err = fmt.Errorf("%w, or %s", err, word)
			}
			return faultf("`%s` %q: %s", o.Key, text, err)
		}
	}
	return nil
}
