package arguments

import (
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
)

// Terms are the words for what a document says: those of the user, which are flags unless
// there is a file that has the document.
type Terms struct{ Job string }

// Word returns what the user calls a key.
func (t Terms) Word(key string) string {
	if t.Job != "" {
		return key
	}
	return document.Word(key)
}

// Sentence puts the user's words in the place of keys in backquotes.
func (t Terms) Sentence(text string) string {
	parts := strings.Split(text, "`")
	for k := 1; k < len(parts); k += 2 {
		parts[k] = t.Word(parts[k])
	}
	return strings.Join(parts, "")
}

// Misuse says that a document cannot be carried out.
func (t Terms) Misuse(text string) error {
	if t.Job != "" {
		return &input.Error{File: InputName(t.Job), Msg: t.Sentence(text)}
	}
	return Misuse("%s", t.Sentence(text))
}

// Explain words what is wrong with a document, in the user's words.
func (t Terms) Explain(err error) error {
	if e := input.Find(err); e != nil && e.Field == "run" {
		return t.Misuse(e.Msg)
	}
	return err
}

// FaultKeys are the keys, and flags of other commands, by which a user sets what the library
// calls otherwise.
var FaultKeys = map[input.Field]string{
	input.Sparsity: "`method.sparsity`", input.Edges: "`cut.edges`", input.Threshold: "`cut.threshold`", input.Kernels: "`kernels.given`",
	input.AllowedPairs: "`known.allow` and `known.forbid`", input.Init: "`known.init`", input.Prior: "`known.prior`",
	input.Rounds:      "`method.rounds`",
	input.KernelCount: "`kernels.given` free", input.KernelDegree: "`kernels.degree`",
	input.Log: "`prepare.log`", input.Difference: "`prepare.difference`", input.Season: "`prepare.season`", input.Rows: "`prepare.rows`", input.Scores: "`prepare.scores`", "window": "`windows.window`",
	"count": "--kernels", "degree": "--degree", input.Graph: "--graph", "tau": "--tau",
}

// StandardInput is what "-" is called in sentences.
const StandardInput = "standard input"

// InputName is a file in a sentence.
func InputName(path string) string {
	if path == "-" {
		return StandardInput
	}
	return path
}
