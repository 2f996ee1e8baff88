package dataio

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/input"
)

// A variable is an array that a file of several holds under a name.
type variable struct {
	name  string
	shape []int
}

// usualVariables are the names under which signals are looked for, in this order,
// in a file of several matrices.
var usualVariables = []string{"signals", "Y", "X", "data", "arr_0"}

// pickVariable returns which variable to read: the one asked for or, if that is
// empty, the only matrix, or the one among several with a usual name. Scalars and
// vectors count as matrices only where there are no others. of says in words what
// kind of file it is.
func pickVariable(held []variable, asked, of string) (int, error) {
	if asked != "" {
		if i := slices.IndexFunc(held, func(v variable) bool { return v.name == asked }); i >= 0 {
			return i, nil
		}
		return 0, choiceFault(held, "the %s has no variable %s (it holds %s)", of, quote(asked), shapes(held))
	}
	var pool []int
	for _, least := range []int{2, 0} {
		for i, v := range held {
			if len(v.shape) == 2 && min(v.shape[0], v.shape[1]) >= least {
				pool = append(pool, i)
			}
		}
		if len(pool) > 0 {
			break
		}
	}
	switch len(pool) {
	case 0:
		return 0, fault("no array in the %s has two dimensions (%s): reshape it and save it again", of, shapes(held))
	case 1:
		return pool[0], nil
	}
	for _, name := range usualVariables {
		for _, i := range pool {
			if held[i].name == name {
				return i, nil
			}
		}
	}
	return 0, choiceFault(held, "the %s holds several matrices (%s)", of, shapes(held))
}

// choiceFault says that somebody has to choose among variables.
func choiceFault(held []variable, format string, args ...any) *input.Error {
	e := fault(format, args...)
	e.Msg += ": say which to read, or call it signals"
	for _, v := range held {
		e.Variables = append(e.Variables, v.name)
	}
	return e
}

// shapes lists variables with their sizes, the first few of many.
func shapes(held []variable) string {
	const most = 8
	var words []string
	for _, v := range held[:min(len(held), most)] {
		var sizes []string
		for _, n := range v.shape {
			sizes = append(sizes, strconv.Itoa(n))
		}
		words = append(words, strings.TrimSpace(v.name+" "+strings.Join(sizes, "×")))
	}
	if len(held) > most {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}
