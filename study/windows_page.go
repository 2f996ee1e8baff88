package study

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/report"
)

//go:embed windows.html
var windowsText string

var windowsTemplate = template.Must(template.New("windows").Funcs(template.FuncMap{"p": func(p *float64) string { return chance(*p) }}).Parse(windowsText))

const (
	// mostDrawn is how many edges at most the page draws, and mostListed how many that
	// change it lists; edges.csv has all.
	mostDrawn  = 120
	mostListed = 100
)

// A listedChange is a row of the table of edges.
type listedChange struct{ Edge, Changed, Q, Windows string }

// page writes the page about all windows.
func (s *Series) page(w io.Writer, f WindowFolder, index *document.WindowIndex) error {
	p := struct {
		*document.WindowIndex

		Title, Sentence string
		Sure            string        // whether changes are more than chance
		Clear           []shownChange // those that are
		Drawn           int
		Listed          []listedChange
		Names           []string // of the windows
		LastName        string
		Counts, Changes template.URL
		First, Last     template.URL // graphs
	}{WindowIndex: index, Title: f.Title, Sentence: s.Sentence(), Sure: s.Evidence.Sentence(s), Clear: s.Evidence.shown(s), Drawn: min(mostDrawn, len(s.Edges))}
	for _, window := range s.Windows {
		p.LastName = window.String()
		p.Names = append(p.Names, p.LastName)
	}
	joint := " " + s.Whole.Graph.Joint() + " "
	of := s.Evidence.q()
	for _, e := range s.Edges {
		if len(e.Changes) == 0 || len(p.Listed) == mostListed {
			break // those that change come first
		}
		count, _, _ := e.Windows()
		q := ""
		if found, ok := of[[2]int{min(e.I, e.J), max(e.I, e.J)}]; ok {
			q = chance(found)
		}
		p.Listed = append(p.Listed, listedChange{s.Names[e.I] + joint + s.Names[e.J], s.changed(e), q, words.Plural(count, "window")})
	}
	for _, d := range []struct {
		to *template.URL
		of figure.Drawing
	}{
		{&p.Changes, s.changes(mostDrawn)},
		{&p.Counts, s.counts()},
		{&p.First, s.network("the graph of the first window", s.Windows[0])},
		{&p.Last, s.network("the graph of the last window", s.Windows[len(s.Windows)-1])},
	} {
		var err error
		if *d.to, err = figure.DataURL(d.of); err != nil {
			return err
		}
	}
	return report.ListPage(w, f.Title, windowsTemplate, p)
}

// counts draws how many edges each window has, and how many come and go.
func (s *Series) counts() figure.Charts {
	var x, edges, came, gone []float64
	for k, w := range s.Windows {
		x = append(x, float64(k+1))
		edges = append(edges, float64(w.Graph.EdgeCount()))
		came, gone = append(came, float64(w.Came)), append(gone, float64(w.Gone))
	}
	return figure.Charts{Title: "edges by window", PerRow: 2, Charts: []figure.Chart{
		{Title: "edges", XLabel: "window", Series: []figure.Series{{Name: "edges", X: x, Y: edges}}},
		{Title: "changes", XLabel: "window", Series: []figure.Series{{Name: "come", X: x, Y: came, Color: 1}, {Name: "go", X: x, Y: gone, Color: 2, Dashed: true}}},
	}}
}

// network draws the graph of a window, with vertices where they are in the graph of the
// whole series.
func (s *Series) network(title string, w Window) figure.Network {
	n := plot.Graph(title, w.Graph, nil)
	x, y := plot.Places(s.Whole.Graph, nil)
	for i := range n.Vertices {
		n.Vertices[i].X, n.Vertices[i].Y = x[i], y[i]
	}
	return n
}
