package cli

import (
	"fmt"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// sparseMethod is the method that the flags of learn are mostly about.
var sparseMethod = learn.Sparse{}.Name()

// paperMethod is the paper's algorithm for the same model.
var paperMethod = learn.Maretic2017{}.Name()

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
