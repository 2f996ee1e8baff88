package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// sparseMethod is the method that the flags of learn are mostly about.
var sparseMethod = learn.Sparse{}.Name()

// paperMethod is the paper's algorithm for the same model.
var paperMethod = learn.Maretic2017{}.Name()

// comparedNames lists the methods that compare runs unless it is told which.
func comparedNames() []string {
	return namesOf(slices.DeleteFunc(nervure.Methods(), func(e method.Entry) bool { return e.OnlyNamed }))
}

// methodNames lists the methods, our own first.
func methodNames() []string { return namesOf(nervure.Methods()) }

// learnMethods lists what --method of learn takes: the choice among methods, and all
// of them.
func learnMethods() []method.Entry {
	auto, _ := nervure.MethodByName(autoMethod)
	return append([]method.Entry{auto}, nervure.Methods()...)
}

// autoMethod is the name of the automatic choice.
var autoMethod = nervure.AutoMethod{}.Name()

// kernelMethods lists the methods that --kernel is for.
func kernelMethods() []string {
	return namesOf(slices.DeleteFunc(nervure.Methods(), func(e method.Entry) bool { return !e.Has(method.UsesKernels) }))
}

func namesOf(entries []method.Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// aboutLearnMethods is the part of a help that says what --method of learn takes.
func aboutLearnMethods() string { return aboutThese(learnMethods()) }

// aboutMethods is the part of a help that says what methods there are.
func aboutMethods() string { return aboutThese(nervure.Methods()) }

func aboutThese(methods []method.Entry) string {
	var lines []string
	for _, e := range methods {
		lines = append(lines, wrapped(e.Name()+": "+e.About))
	}
	return strings.Join(lines, "\n")
}

// aboutParams is the part of a help that says by what methods can be tuned.
func aboutParams() string {
	var lines []string
	for _, e := range nervure.Methods() {
		for _, p := range e.Params() {
			lines = append(lines, wrapped(fmt.Sprintf("%s %s: %s", e.Name(), p.Name, p.About)))
		}
	}
	return strings.Join(lines, "\n")
}

func noSuchMethod(flag, name string, allowed []string) error {
	return misuse("%s %q: unknown method; want %s", flag, name, either(allowed))
}

// readParams reads what --param gives a method, KEY=VALUE each.
func readParams(e method.Entry, given []string) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	if e.Name() == sparseMethod || e.Name() == autoMethod {
		return nil, misuse("--param needs --method NAME with another method than %s, which has its own flags", sparseMethod)
	}
	params := map[string]string{}
	for _, param := range given {
		key, value, ok := strings.Cut(param, "=")
		_, twice := params[key]
		_, err := e.WithParams(map[string]string{key: value})
		switch fault := input.Find(err); {
		case !ok:
			return nil, misuse("--param %q: want KEY=VALUE", param)
		case twice:
			return nil, misuse("--param %s is given twice", key)
		case fault != nil:
			return nil, misuse("--param %q: %s", param, fault.Msg)
		}
		params[key] = value
	}
	return params, nil
}
