package cli

import (
	"strings"

	"github.com/nervure/nervure/input"
)

// terms are the words for what a document says: those of the user, which are flags unless
// there is a file that has the document.
type terms struct{ job string }

// flagNames are the flags of keys that are not called by the last part of the key.
var flagNames = map[string]string{
	"read.files": "SIGNALS", "prepare.periods": "--season", "method.name": "--method", "method.params": "--param",
	"kernels.given": "--kernel", "kernels.approximation": "--approx",
	"all_signals": "--sample", "windows.dir": "--windows", "compare": "nervure compare", "compare.unranked": "--folds",
	"write.graph": "--out", "write.comparison": "--out",
}

// word returns what the user calls a key.
func (t terms) word(key string) string {
	if t.job != "" {
		return key
	}
	if flag, ok := flagNames[key]; ok {
		return flag
	}
	return "--" + strings.ReplaceAll(key[strings.LastIndexByte(key, '.')+1:], "_", "-")
}

// sentence puts the user's words in the place of keys in backquotes.
func (t terms) sentence(text string) string {
	parts := strings.Split(text, "`")
	for k := 1; k < len(parts); k += 2 {
		parts[k] = t.word(parts[k])
	}
	return strings.Join(parts, "")
}

// misuse says that a document cannot be carried out.
func (t terms) misuse(text string) error {
	if t.job != "" {
		return &input.Error{File: inputName(t.job), Msg: t.sentence(text)}
	}
	return misuse("%s", t.sentence(text))
}

// explain words what is wrong with a document, in the user's words.
func (t terms) explain(err error) error {
	if e := input.Find(err); e != nil && e.Field == "run" {
		return t.misuse(e.Msg)
	}
	return err
}

// faultKeys are the keys, and flags of other commands, by which a user sets what the library
// calls otherwise.
var faultKeys = map[input.Field]string{
	input.Sparsity: "`method.sparsity`", input.Edges: "`cut.edges`", input.Threshold: "`cut.threshold`", input.Kernels: "`kernels.given`",
	input.AllowedPairs: "`known.allow` and `known.forbid`", input.Init: "`known.init`", input.Prior: "`known.prior`",
	input.Rounds:      "`method.rounds`",
	input.KernelCount: "`kernels.given` free", input.KernelDegree: "`kernels.degree`",
	input.Log: "`prepare.log`", input.Difference: "`prepare.difference`", input.Season: "`prepare.season`", "window": "`windows.window`",
	"count": "--kernels", "degree": "--degree", input.Graph: "--graph", "tau": "--tau",
}

// standardInput is what "-" is called in sentences.
const standardInput = "standard input"

// inputName is a file in a sentence.
func inputName(path string) string {
	if path == "-" {
		return standardInput
	}
	return path
}
