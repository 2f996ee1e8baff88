package commands

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/signals"
)

// A signalFile is where a command takes its signals from.
type signalFile struct {
	document.RunRead
	arguments.Terms
	stdin   io.Reader
	options dataio.ReadOptions // what the document does not say
	hint    string             // how the signals may be meant, if they look odd; set by read
}

// signalsOf returns where signals are, with how to read them.
func signalsOf(read document.RunRead, path string, stdin io.Reader) signalFile {
	read.Files = []string{path}
	return signalFile{RunRead: read, stdin: stdin}
}

// path is the first file.
func (f *signalFile) path() string { return f.Files[0] }

// name is the file in a sentence.
func (f *signalFile) name() string {
	if more := len(f.Files) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", f.path(), more)
	}
	return arguments.InputName(f.path())
}

// inputs are the files that are read, which must not be written over.
func (f *signalFile) inputs() []string { return slices.Concat(f.Files, []string{f.Names, f.Times}) }

// truth is where the graph behind the signals is known, if it is: beside them, as
// generate leaves it, or in their sample.
func (f *signalFile) truth() string {
	if inputs.IsSample(f.path()) {
		return f.path()
	}
	beside := filepath.Join(filepath.Dir(f.path()), "truth.csv")
	if _, err := os.Stat(beside); err != nil || f.path() == "-" {
		return ""
	}
	return beside
}

// read reads the signals.
func (f *signalFile) read(c views.Console, quiet bool) (*signals.Set, error) {
	o, err := inputs.ReadOptions(f.RunRead, inputs.Open)
	if err != nil {
		return nil, f.Explain(err)
	}
	o.Labels = f.options.Labels
	o.Sample, o.SampleEnough, o.KeepEmpty = f.options.Sample, f.options.SampleEnough, f.options.KeepEmpty
	o.KeepObservations = f.options.KeepObservations
	set, err := f.decode(c, quiet, o)
	switch e := input.Find(err); {
	case e == nil:
	case e.Option != "":
		e.Msg += f.Sentence(" (`read." + e.Option + "`)")
	case len(e.Variables) > 0:
		e.Msg += f.Sentence(" (`read.variable` " + e.Variables[0] + ")")
	}
	if err == nil {
		f.hint = inputs.Hint(f.Transpose, set)
	}
	return set, err
}

func (f *signalFile) decode(c views.Console, quiet bool, o dataio.ReadOptions) (*signals.Set, error) {
	if len(f.Files) > 1 {
		return dataio.ReadFiles(f.Files, o)
	}
	if f.path() != "-" {
		return inputs.Signals(f.path(), o, inputs.Open)
	}
	if views.Watched(f.stdin) && !quiet {
		fmt.Fprintln(c.Err, "reading signals from the terminal; press Ctrl-D to finish")
	}
	o.Format = cmp.Or(o.Format, dataio.CSV)
	set, err := dataio.DecodeSignals(f.stdin, f.name(), o)
	if e := input.Find(err); e != nil && e.Format != "" {
		e.Msg = f.Sentence(fmt.Sprintf("this is not %s: add `read.format` %s", o.Format, e.Format))
	}
	return set, err
}

// note says what there is to doubt about the signals before they are learned from,
// and returns it.
func (f *signalFile) note(c views.Console, quiet bool, set *signals.Set) []string {
	notes := inputs.Notes(set, f.Resample != "", f.hint)
	for _, words := range notes {
		if !quiet {
			c.Note("%s", words)
		}
	}
	return notes
}

// refuseGaps refuses signals with missing values, for commands that cannot do without.
func (f *signalFile) refuseGaps(set *signals.Set) error {
	if missing := matrix.Missing(set.Y); missing > 0 {
		return &input.Error{File: f.name(), Msg: views.Plural(missing, "value") + " missing: fill the gaps first, with nervure fill"}
	}
	return nil
}

// explain words what the library finds wrong: with a flag, a parameter or the
// signals.
func (f *signalFile) explain(err error, params document.Params) error {
	e := input.Find(err)
	if e == nil || e.Field == "" || e.Field == "run" {
		return f.Explain(err)
	}
	if _, ok := params[string(e.Field)]; ok {
		return f.Misuse(fmt.Sprintf("`method.params` %s: %s", e.Field, e.Msg))
	}
	if e.Field == input.Log {
		return f.Misuse("`prepare.log`: " + e.Msg + " (`prepare.log_offset`)")
	}
	if key, ok := arguments.FaultKeys[e.Field]; ok {
		return f.Misuse(key + ": " + e.Msg)
	}
	return inputs.InFile(e, f.name(), f.hint)
}

// readGraph reads a graph on the named vertices from a file, or the truth of an
// example.
func readGraph(path string, names []string) (*graph.Graph, error) {
	return inputs.Graph(path, names, inputs.Open)
}

// readGraphInputOn is readGraph where "-" stands for standard input.
func readGraphInputOn(stdin io.Reader, path string, names []string) (*graph.Graph, error) {
	if path == "-" {
		return dataio.DecodeGraph(stdin, arguments.StandardInput, dataio.CSV, names)
	}
	return readGraph(path, names)
}

// readGraphFile reads a graph and what its file says about vertices, or the truth
// of an example. If it is directed, the edges of an edge list are arrows.
func readGraphFile(path string, directed bool) (*dataio.GraphFile, error) {
	file, err := inputs.From(inputs.Open, path, examples.Truth, func(r io.Reader, f dataio.Format) (*dataio.GraphFile, error) {
		return dataio.DecodeGraphFile(r, path, f)
	})
	return arrows(file, directed, err)
}

// readGraphInput is readGraphFile where "-" stands for standard input.
func readGraphInput(stdin io.Reader, path string, directed bool) (*dataio.GraphFile, error) {
	if path != "-" {
		return readGraphFile(path, directed)
	}
	file, err := dataio.DecodeGraphFile(stdin, arguments.StandardInput, dataio.CSV)
	return arrows(file, directed, err)
}

// arrows makes arrows of the edges of a file, if they are asked for.
func arrows(file *dataio.GraphFile, directed bool, err error) (*dataio.GraphFile, error) {
	if err != nil || !directed {
		return file, err
	}
	return file.AsDirected()
}

// noteGraph says what the reader of a graph took its file to mean.
func noteGraph(c views.Console, path string, file *dataio.GraphFile) {
	for _, words := range file.Notes {
		c.Note("%s: %s", arguments.InputName(path), words)
	}
}

// readVertices reads what a table, or an example, knows about the named vertices,
// and counts those it does not know.
func readVertices(path string, names []string) (of *dataio.VertexTable, missing int, err error) {
	table, err := inputs.From(inputs.Open, path, examples.Vertices, func(r io.Reader, f dataio.Format) (*dataio.VertexTable, error) {
		return dataio.DecodeVertices(r, path, f)
	})
	if err != nil {
		return nil, 0, err
	}
	return table.For(names)
}
