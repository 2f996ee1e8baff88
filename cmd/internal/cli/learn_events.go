package cli

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/layout"
	"github.com/nervure/nervure/method"
)

// An event is a line of --progress json. Its keys are a promise.
type event struct {
	Event string `json:"event"` // begin, step, half or graph
	What  string `json:"what,omitempty"`

	*document.TraceStep // of a step

	Done int `json:"done,omitempty"` // halves of the signals learned from
	Of   int `json:"of,omitempty"`

	Graph *drawnGraph `json:"graph,omitempty"`
}

// A drawnGraph is a graph with places, for a picture that follows the work.
type drawnGraph struct {
	Vertices []string  `json:"vertices,omitempty"` // on the first only
	Edges    [][]short `json:"edges"`              // two vertices, the weight and, if there is one, the confidence
	X        []short   `json:"x"`
	Y        []short   `json:"y"`
}

// A short is a number with as many digits as a picture needs: whole ones, such as
// those of vertices, all of them.
type short float64

// MarshalJSON implements json.Marshaler.
func (s short) MarshalJSON() ([]byte, error) {
	if v := float64(s); v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.AppendInt(nil, int64(v), 10), nil
	}
	return strconv.AppendFloat(nil, float64(s), 'g', 5, 64), nil
}

// An eventStream sends events and keeps the places from one graph to the next.
type eventStream struct {
	x, y  []float64
	fixed bool // these are the places, they do not move
	begun time.Time
	spent time.Duration // on events, of the time since
	last  time.Time

	drawings int
	named    bool // the vertices, once
}

const (
	edgesADrawing    = 4                     // times the vertices: early graphs are all but complete
	stepsADrawing    = 10                    // of the layout
	firstDrawings    = 20                    // come as they are, so that short runs can be seen as well
	betweenDrawings  = 50 * time.Millisecond // no eye follows more
	shareForDrawings = 10                    // at most one part in so many of the run is spent on drawings
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
	now := event{Event: "step", TraceStep: traceStep(s)}
	if g := s.Weights(); g != nil {
		now.Graph = e.draw(g.Strongest(edgesADrawing * g.Vertices()))
	}
	e.send(w, now)
	e.last = time.Now()
	e.drawings++
	e.spent += e.last.Sub(begun)
}

func traceStep(s method.Step) *document.TraceStep {
	return &document.TraceStep{
		Start: s.Start, Round: s.Round, Phase: s.Phase,
		Residual: document.Finite(s.Residual), Objective: document.Finite(s.Objective), Edges: s.Edges,
	}
}

// finish sends the graph that was learned.
func (e *eventStream) finish(w io.Writer, g *graph.Graph) {
	if !e.fixed {
		e.x, e.y = layout.Places(g)
	}
	drawn := e.draw(g)
	drawn.Vertices = g.Names()
	e.send(w, event{Event: "graph", Graph: drawn})
}

func (e *eventStream) draw(g *graph.Graph) *drawnGraph {
	d := &drawnGraph{Edges: [][]short{}}
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
		d.X, d.Y = append(d.X, short(e.x[v])), append(d.Y, short(e.y[v]))
	}
	confidence := g.Confidence()
	for k, edge := range g.Edges() {
		cells := []short{short(edge.I), short(edge.J), short(edge.Weight)}
		if confidence != nil {
			cells = append(cells, short(confidence[k]))
		}
		d.Edges = append(d.Edges, cells)
	}
	return d
}

// send writes an event on a line of its own.
func (e *eventStream) send(w io.Writer, what event) {
	line, err := json.Marshal(what)
	if err != nil {
		return // a picture less
	}
	_, _ = w.Write(append(line, '\n')) // progress is not worth failing for
	yieldToBrowser()
}
