package views

import (
	"encoding/json"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/layout"
	"github.com/nervure/nervure/method"
)

// An eventStream sends events and keeps the places from one graph to the next.
type eventStream struct {
	x, y  []float64
	fixed bool // these are the places, they do not move
	begun time.Time
	spent time.Duration // on events, of the time since
	last  time.Time

	now nervure.Progress // how far the run has come

	undrawn  bool // events have no graphs
	drawings int
	named    bool // the vertices, once
}

const (
	edgesADrawing    = 4                     // times the vertices: early graphs are all but complete
	stepsADrawing    = 10                    // of the layout
	firstDrawings    = 20                    // come as they are, so that document.Rounded runs can be seen as well
	betweenDrawings  = 50 * time.Millisecond // no eye follows more
	shareForDrawings = 10                    // at most one part in that many of the run is spent on drawings
)

// step sends a step with the graph it has come to, unless that comes too often.
func (e *eventStream) step(w io.Writer, s method.Step) {
	begun := time.Now()
	if e.begun.IsZero() {
		e.begun = begun
	}
	if e.drawings >= firstDrawings && begun.Sub(e.last) < betweenDrawings || e.spent*shareForDrawings > begun.Sub(e.begun)+time.Second {
		return
	}
	now := e.at(document.Event{Event: "step", TraceStep: document.NewTraceStep(s)})
	if g := s.Weights(); g != nil && !e.undrawn {
		now.Graph = e.draw(g.Strongest(edgesADrawing * g.Vertices()))
	}
	e.send(w, now)
	e.last = time.Now()
	e.drawings++
	e.spent += e.last.Sub(begun)
}

// at returns an event with how far the run has come, if that is known.
func (e *eventStream) at(what document.Event) document.Event {
	name := stageNames[e.now.Stage]
	if e.now.Of == 0 || name == "" {
		return what
	}
	what.Stage, what.Stages, what.StageName = e.now.Index, e.now.Of, name
	if e.now.Left >= 0 {
		left := math.Round(10*e.now.Left.Seconds()) / 10
		what.SecondsLeft = &left
	}
	return what
}

// finish sends the graph that was learned.
func (e *eventStream) finish(w io.Writer, g *graph.Graph) {
	if e.undrawn {
		return
	}
	if !e.fixed {
		e.x, e.y = layout.Places(g)
	}
	drawn := e.draw(g)
	drawn.Vertices = g.Names()
	e.send(w, document.Event{Event: "graph", Graph: drawn})
}

func (e *eventStream) draw(g *graph.Graph) *document.DrawnGraph {
	d := &document.DrawnGraph{Edges: [][]document.Rounded{}, Directed: g.Directed()}
	if !e.named {
		e.named, d.Vertices = true, g.Names()
	}
	switch {
	case e.fixed:
	case e.x == nil:
		e.x, e.y = layout.Places(g)
	default:
		layout.Move(g, e.x, e.y, stepsADrawing)
	}
	for v := range e.x {
		d.X, d.Y = append(d.X, document.Rounded(e.x[v])), append(d.Y, document.Rounded(e.y[v]))
	}
	confidence := g.Confidence()
	for k, edge := range g.Edges() {
		cells := []document.Rounded{document.Rounded(edge.I), document.Rounded(edge.J), document.Rounded(edge.Weight)}
		if confidence != nil {
			cells = append(cells, document.Rounded(confidence[k]))
		}
		d.Edges = append(d.Edges, cells)
	}
	return d
}

// send writes an event on a line of its own.
func (e *eventStream) send(w io.Writer, what document.Event) {
	line, err := json.Marshal(what)
	if err != nil {
		return // a picture less
	}
	_, _ = w.Write(append(line, '\n')) // progress is not worth failing for
	if runtime.GOOS == "js" {          // so that a browser, which has one thread for all, can deliver a message such as stop
		time.Sleep(time.Millisecond)
	}
}
