package study

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/words"
)

// A WindowFolder is where a series is written to, and what its page says about it.
type WindowFolder struct {
	Dir     string        // made if it is not there
	Spare   []string      // files that must not be written over
	Title   string        // of the page
	Command string        // that does the same again; "" if there is none to show
	Run     *document.Run // the same as a document; nil if there is none to show
}

// wholeName is what the graph of the whole series is called.
const wholeName = "whole"

// windowName is what a window is called in the folder.
func windowName(k, of int) string {
	digits := max(3, len(strconv.Itoa(of)))
	return fmt.Sprintf("window-%0*d", digits, k+1)
}

// Write writes the graph of each window (window-001.csv …) and of the whole series
// (whole.csv, whole.json), index.csv and index.json with a row for each window, edges.csv
// with a row for each edge, evidence.csv with a row for each pair, the figure changes.svg and the page index.html: all files or
// none, as [durable.WriteFolder] does. A summary, figure or page that cannot be made is an
// error, but the others are written. What an earlier run has left and this one does not
// have, such as graphs of windows beyond the last, is removed.
func (s *Series) Write(f WindowFolder, o WindowOptions) (*document.WindowIndex, error) {
	index := s.index(f, o)
	out := newFolder()
	for k, w := range s.Windows {
		out.graph(index.Rows[k].Name, w.Graph)
	}
	out.graph(wholeName, s.Whole.Graph)
	out.document("index.json", index)
	out.add("index.csv", index.WriteCSV)
	out.table("edges.csv", s.table(index))
	out.table("evidence.csv", s.Evidence.table(index, s))
	if out.err != nil {
		return nil, out.err
	}
	var faults []error
	for _, part := range dispensable {
		err := out.attempt(f.Dir, part.name, func(w io.Writer) error { return part.encode(w, s, f, index) })
		faults = append(faults, err)
	}
	return index, errors.Join(f.write(out), errors.Join(faults...))
}

// certain are the files that each folder has, besides the graphs of the windows.
var certain = []string{wholeName + ".csv", "index.json", "index.csv", "edges.csv", "evidence.csv"}

// A part is a file that a run may have to do without.
type part struct {
	name   string
	encode func(w io.Writer, s *Series, f WindowFolder, index *document.WindowIndex) error
}

var dispensable = []part{
	{wholeName + ".json", func(w io.Writer, s *Series, f WindowFolder, _ *document.WindowIndex) error {
		summary := s.Whole.Summary()
		summary.Run, summary.Command = f.Run, f.Command
		return document.Write(w, summary)
	}},
	{"changes.svg", func(w io.Writer, s *Series, _ WindowFolder, _ *document.WindowIndex) error {
		return figure.Write(w, figure.SVG, figure.Page{}, s.changes(allDrawn))
	}},
	{"index.html", func(w io.Writer, s *Series, f WindowFolder, index *document.WindowIndex) error {
		return s.page(w, f, index)
	}},
}

// mayLack reports whether a file is one that a run may have to do without.
func mayLack(name string) bool {
	return slices.ContainsFunc(dispensable, func(p part) bool { return p.name == name })
}

// Check refuses a folder in which an output would take the place of an input.
func (f WindowFolder) Check() error {
	names := slices.Clone(certain)
	for _, part := range dispensable {
		names = append(names, part.name)
	}
	old, _ := os.ReadDir(f.Dir) // what is not there is not written over
	for _, e := range old {
		if isWindowFile(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return refuseOverwriting(f.Dir, names, f.Spare)
}

// isWindowFile reports whether name has the form window-NNN.csv.
func isWindowFile(name string) bool {
	number, ok := strings.CutPrefix(strings.TrimSuffix(name, ".csv"), "window-")
	_, err := strconv.Atoi(number)
	return ok && err == nil && strings.HasSuffix(name, ".csv")
}

func (f WindowFolder) write(out *folder) error {
	if err := f.Check(); err != nil {
		return err
	}
	var gone []string
	old, err := os.ReadDir(f.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &input.Error{File: f.Dir, Msg: "this directory cannot be read", Err: err}
	}
	for _, e := range old {
		if out.files[e.Name()] == nil && (isWindowFile(e.Name()) || mayLack(e.Name())) {
			gone = append(gone, e.Name())
		}
	}
	return out.write(f.Dir, "index.json", gone)
}

// index says what there is in each window.
func (s *Series) index(f WindowFolder, o WindowOptions) *document.WindowIndex {
	step := o.Step
	if step == (Length{}) {
		step = o.Window
	}
	x := &document.WindowIndex{
		Version: nervure.Version(), Command: f.Command, Run: f.Run, Method: s.Method.Name(), Verdict: string(s.Whole.Verdict.Grade), Vertices: len(s.Names),
		Observations: s.Whole.Signals(), Window: o.Window.String(), Step: step.String(), Edges: len(s.Edges), Warnings: append([]string{}, s.Whole.Warnings()...),
	}
	for _, e := range s.Edges {
		if len(e.Changes) > 0 {
			x.Changing++
		}
	}
	for k, w := range s.Windows {
		row := document.WindowRow{
			Name: windowName(k, len(s.Windows)), First: w.From + 1, Observations: w.To - w.From,
			Edges: w.Graph.EdgeCount(), Came: w.Came, Gone: w.Gone, Error: w.Fault,
		}
		if w.Own != nil {
			row.Alone = w.Own.EdgeCount()
		}
		if !w.Begin.IsZero() {
			row.Begin, row.End = w.Begin.UTC().Format(time.RFC3339), w.End.UTC().Format(time.RFC3339)
		}
		x.Rows = append(x.Rows, row)
	}
	s.Evidence.describe(x, s)
	return x
}

// table lists the edges: their ends, where they are, when they change, at which false discovery rate
// that is more than chance, and the weight in each window.
func (s *Series) table(x *document.WindowIndex) [][]string {
	header := []string{"source", "target", "windows", "first", "last", "changed", "q"}
	for _, row := range x.Rows {
		header = append(header, row.Name)
	}
	rows := [][]string{header}
	of := s.Evidence.q()
	for _, e := range s.Edges {
		q := ""
		if found, ok := of[[2]int{min(e.I, e.J), max(e.I, e.J)}]; ok {
			q = number(found)
		}
		count, first, last := e.Windows()
		row := []string{s.Names[e.I], s.Names[e.J], strconv.Itoa(count), s.Windows[first].String(), s.Windows[last].String(), s.changed(e), q}
		for _, v := range e.Weights {
			cell := ""
			if v > 0 {
				cell = number(v)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// changed says when an edge came and went.
func (s *Series) changed(e Edge) string {
	var list []string
	for _, w := range e.Changes {
		what := "gone "
		if e.Weights[w] > 0 {
			what = "came "
		}
		list = append(list, what+s.Windows[w].String())
	}
	return strings.Join(list, "; ")
}

// allDrawn is how many edges a figure shows at most.
const allDrawn = 400

// changes draws the weights of edges by window: those that change first, in the order of
// their changes, then those that stay, the heaviest first. Of more edges than most, it
// draws the first.
func (s *Series) changes(most int) figure.Raster {
	r := figure.Raster{Title: "edges by window, those that change first"}
	for _, w := range s.Windows {
		r.Columns = append(r.Columns, w.String())
	}
	joint := " " + s.Whole.Graph.Joint() + " "
	for k, e := range s.Edges[:min(most, len(s.Edges))] {
		r.Rows = append(r.Rows, s.Names[e.I]+joint+s.Names[e.J])
		if k > 0 && len(e.Changes) == 0 && len(s.Edges[k-1].Changes) > 0 {
			r.Breaks = append(r.Breaks, k)
		}
		for w, v := range e.Weights {
			if v > 0 {
				r.Cells = append(r.Cells, figure.Cell{Row: k, Column: w, Weight: v})
			}
		}
	}
	return r
}

// Moments returns the windows in which edges change, those of the most changes first.
func (s *Series) Moments() []int {
	var list []int
	for w, win := range s.Windows {
		if win.Came+win.Gone > 0 {
			list = append(list, w)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return s.Windows[b].Came + s.Windows[b].Gone - s.Windows[a].Came - s.Windows[a].Gone
	})
	return list
}

// Sentence says what changes.
func (s *Series) Sentence() string {
	changing := 0
	for _, e := range s.Edges {
		if len(e.Changes) > 0 {
			changing++
		}
	}
	windows := words.Plural(len(s.Windows), "window")
	moments := s.Moments()
	if len(moments) == 0 {
		return fmt.Sprintf("%s: the same %s throughout", windows, words.Plural(len(s.Edges), "edge"))
	}
	most := s.Windows[moments[0]]
	return fmt.Sprintf("%s: %d of %s come or go, most of them in the window from %s on (%d come, %d go)",
		windows, changing, words.Plural(len(s.Edges), "edge"), most.String(), most.Came, most.Gone)
}
