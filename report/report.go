// Package report writes one page about a learned graph: a single HTML file that
// needs no other and asks no host for anything. The graph can be handled, the rest
// shows how it came about and how far to trust it.
package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	nervuredoc "github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
)

// Options say what the page tells besides the analysis. The zero value is valid.
type Options struct {
	Title   string // empty means "The graph behind the signals"
	Command string // which does it all again; empty if there is none to show
	// Vertices is a row for each vertex, in the order of the graph, or nil.
	Vertices *dataio.VertexTable
}

// Write writes the page about an analysis. It has no times in it: the same
// analysis gives the same bytes.
func Write(w io.Writer, a *nervure.Analysis, o Options) error {
	return WriteUntil(context.Background(), w, a, o)
}

// WriteUntil is Write for whoever waits no longer than until ctx ends: drawings are then as they are, and other
// bytes. What is left to do takes some tenths of a second at 10,000 vertices.
func WriteUntil(ctx context.Context, w io.Writer, a *nervure.Analysis, o Options) error {
	return write(ctx, w, contentOf(a, o))
}

// WriteGraph writes a page about a graph of which nothing else is known, such as one read from a file.
func WriteGraph(w io.Writer, g *graph.Graph, o Options) error {
	if o.Title == "" {
		o.Title = "A graph"
	}
	return write(
		context.Background(),
		w,
		content{
			Title:    o.Title,
			Command:  o.Command,
			Version:  nervure.Version(),
			Numbers:  graphNumbers(g),
			Graph:    g,
			Weights:  g,
			Vertices: o.Vertices,
		},
	)
}

// A number is a row of the table of numbers.
type number struct {
	Label, Value string
	Meaning      string // what it says, for people who have not read the paper; may be ""
	Key          bool   // it stands at the top of the page, too
}

// A content is what the page says.
type content struct {
	Title    string
	Command  string // which does it all again
	Version  string
	Method   string
	Verdict  string // in a sentence
	Grade    nervure.Grade
	Notes    []string // what was done and found, a sentence each
	Warnings []string
	Numbers  []number
	// Interrupted says that Command would lead further than this.
	Interrupted bool

	Graph   *graph.Graph // after the cut
	Weights *graph.Graph // before it, on the same vertices
	Signals *mat.Dense   // as they were learned from, vertices × signals; NaN where missing
	// Field is the signals as a field on the graph; nil if they were not learned as one.
	Field  *nervuredoc.FieldSpectrum
	Sparse *learn.Result
	// Kernels are the names of those of Sparse, as people read them.
	Kernels []string
	// Vertices is a row for each vertex, in the order of Graph, or nil.
	Vertices *dataio.VertexTable

	Faults []prepare.Fault
	Times  []time.Time // of the observations, or nil
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

func write(ctx context.Context, w io.Writer, r content) error {
	doc, err := newDocument(ctx, r)
	if err != nil {
		return err
	}
	data, err := json.Marshal(doc) // which escapes <, >, &, U+2028 and U+2029
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	style, err := joined(styles)
	if err != nil {
		return err
	}
	script, err := oneModule(scripts)
	if err != nil {
		return err
	}
	page := struct {
		content
		GradeClass string
		HasCodes   bool
		Style      template.CSS
		Script     template.JS
		Data       template.JS
		StyleHash  string
		ScriptHash string
		Usage      *usage
		Residual   *residuals
		Spectrum   *spectrum
		Sensors    *timeline
		// Reliability is what confidence is worth; nil if edges have none.
		Reliability []familyReliability
	}{
		content: r, GradeClass: strings.ReplaceAll(string(r.Grade), " ", "-"), HasCodes: r.Sparse != nil,
		Style: template.CSS(style), Script: template.JS(script), Data: template.JS(data),
		StyleHash: hash(style), ScriptHash: hash(script),
		Usage: doc.Usage, Residual: doc.Residual, Spectrum: doc.Spectrum, Sensors: doc.Sensors,
	}
	if r.Graph.Confidence() != nil && r.Grade != "" && r.Grade != nervure.Exact {
		page.Reliability = reliability()
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, page); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// hash names a text in a content security policy: nothing else may run.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
