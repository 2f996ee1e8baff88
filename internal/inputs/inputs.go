// Package inputs reads what the document of a run names: signals with their names and
// times, and graphs that are known. They come from files and built-in samples or, where a
// part of a run is done on another machine, from contents that were sent along.
package inputs

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// SamplePrefix begins the name of a sample that comes with the program, in the place of
// a file.
const SamplePrefix = "sample:"

// IsSample reports whether a path names a sample.
func IsSample(path string) bool { return strings.HasPrefix(path, SamplePrefix) }

// SampleNames lists the samples.
func SampleNames() []string {
	var names []string
	for _, name := range examples.Names() {
		names = append(names, SamplePrefix+name)
	}
	return names
}

// formatOf is the format of a path if its name does not tell.
func formatOf(path string) dataio.Format {
	if IsSample(path) {
		return dataio.CSV
	}
	return ""
}

// An Opener opens what a document names; ofSample is the file of a sample that is meant.
type Opener func(path, ofSample string) (io.ReadCloser, error)

// Open opens a file, or that of a sample.
func Open(path, ofSample string) (io.ReadCloser, error) {
	if !IsSample(path) {
		return durable.Open(path)
	}
	f, err := examples.Open(strings.TrimPrefix(path, SamplePrefix), ofSample)
	if err != nil {
		return nil, &input.Error{File: path, Msg: fmt.Sprintf("unknown sample; want %s", words.List(SampleNames(), "or"))}
	}
	return f, nil
}

// From reads what a path stands for with a decoder, which is told the format if the name does
// not tell it.
func From[T any](open Opener, path, ofSample string, decode func(io.Reader, dataio.Format) (T, error)) (T, error) {
	f, err := open(path, ofSample)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return decode(f, formatOf(path))
}

// Contents returns what is in the files that a run reads besides its signals, in the
// order of [document.Run.Besides].
func Contents(r *document.Run) ([][]byte, error) {
	var contents [][]byte
	for _, path := range r.Besides() {
		f, err := Open(path, examples.Truth)
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			return nil, &input.Error{File: path, Msg: err.Error()}
		}
		contents = append(contents, content)
	}
	return contents, nil
}

// Sent opens the files of a run whose contents were sent along: those of its signals, one
// of each file, and then those of [Contents].
func Sent(r *document.Run, contents [][]byte) Opener {
	files, besides := r.Read.Files, r.Besides()
	return func(path, ofSample string) (io.ReadCloser, error) {
		k := slices.Index(files, path)
		if ofSample != examples.Signals {
			k = len(files) + slices.Index(besides, path)
		}
		if k < 0 || k >= len(contents) {
			return nil, &input.Error{File: path, Msg: "the file was not sent with the task"}
		}
		return io.NopCloser(bytes.NewReader(contents[k])), nil
	}
}

// ReadOptions returns how the signals of a run are read, with the names and times that
// are in files of their own.
func ReadOptions(read document.RunRead, open Opener) (dataio.ReadOptions, error) {
	o, err := read.Options()
	if err != nil {
		return o, err
	}
	for _, besides := range []struct {
		path   string
		decode func(io.Reader, string) error
	}{{read.Names, o.DecodeNames}, {read.Times, o.DecodeTimes}} {
		if err != nil || besides.path == "" {
			continue
		}
		_, err = From(open, besides.path, "", func(r io.Reader, _ dataio.Format) (any, error) { return nil, besides.decode(r, besides.path) })
	}
	return o, err
}

// Signals reads the signals of a file.
func Signals(path string, o dataio.ReadOptions, open Opener) (*signals.Set, error) {
	return From(open, path, examples.Signals, func(r io.Reader, f dataio.Format) (*signals.Set, error) {
		if f != "" {
			o.Format = f
		}
		return dataio.DecodeSignals(r, path, o)
	})
}

// Graph reads a graph on the named vertices, or the truth of a sample.
func Graph(path string, names []string, open Opener) (*graph.Graph, error) {
	return From(open, path, examples.Truth, func(r io.Reader, f dataio.Format) (*graph.Graph, error) {
		return dataio.DecodeGraph(r, path, f, names)
	})
}

// Options returns what a run asks for, with what is known about the named vertices.
func Options(r *document.Run, names []string, open Opener) (nervure.Options, error) {
	o, err := nervure.OptionsOf(r)
	if err != nil {
		return o, err
	}
	return o, AddKnown(&o, r.Known, names, open)
}

// AddKnown puts what is known about the named vertices into options.
func AddKnown(o *nervure.Options, known document.RunKnown, names []string, open Opener) error {
	var fault error
	graphIn := func(path string) *graph.Graph {
		if path == "" || fault != nil {
			return nil
		}
		g, err := Graph(path, names, open)
		fault = err
		return g
	}
	pairsIn := func(path string) [][2]int {
		if g := graphIn(path); g != nil {
			return g.Undirected().Pairs()
		}
		return nil
	}
	o.Known = method.Known{Allow: pairsIn(known.Allow), Forbid: pairsIn(known.Forbid), Init: graphIn(known.Init), Prior: graphIn(known.Prior), PriorWeight: known.PriorWeight}
	return fault
}

// CompareOptions returns what a comparison asks for, with the true graph of the named
// vertices.
func CompareOptions(r *document.Run, names []string, open Opener) (nervure.CompareOptions, error) {
	o, err := nervure.CompareOptionsOf(r)
	if err != nil || r.Compare.Truth == "" {
		return o, err
	}
	o.Truth, err = Graph(r.Compare.Truth, names, open)
	return o, err
}

// looksTransposed reports whether what was found in signals may be because vertices are in
// rows.
func looksTransposed(found signals.Finding) bool {
	return found.Kind == signals.FewSignals || found.Kind == signals.SingleSignal
}

// Hint says how signals may be meant, if they look odd.
func Hint(transpose bool, set *signals.Set) string {
	if transpose || !slices.ContainsFunc(set.Findings(), looksTransposed) {
		return ""
	}
	return "if vertices are in rows, add --transpose"
}

// Notes returns what there is to doubt about signals before they are learned from, after
// the notes that they have.
func Notes(set *signals.Set, resampled bool, hint string) []string {
	notes := slices.Clone(set.Notes)
	for _, found := range set.Findings() {
		switch span := set.SuggestSpan(); {
		case found.Kind == signals.UnevenTimes && !resampled && span > 0:
			notes = append(notes, fmt.Sprintf("%s: --resample %s averages them", found.Sentence, words.Span(span)))
		case !looksTransposed(found):
			notes = append(notes, found.Sentence)
		case hint != "" && found.Kind != signals.SingleSignal: // which is refused, with the hint
			notes = append(notes, found.Sentence+": "+hint)
		}
	}
	return notes
}

// InFile words a fault of signals as one of their file, with a hint.
func InFile(e *input.Error, file, hint string) *input.Error {
	msg := e.Fault()
	if (e.Field == input.Vertices || e.Field == input.Signals) && hint != "" {
		msg += "; " + hint
	}
	return &input.Error{File: file, Msg: msg}
}
