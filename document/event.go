package document

import (
	"math"
	"strconv"
)

// An Event is a line of nervure learn --progress json, by which a program follows a run, or
// of --progress steps, for those that draw nothing: there, events have no graphs, which take
// milliseconds to place.
type Event struct {
	Event string `json:"event" doc:"what is reported: begin, stage, step, half or graph"`
	What  string `json:"what,omitempty" doc:"begin: the part of the run that starts now (learning, held-out signals, confidence, all other signals)"`

	*TraceStep // of a step

	Done int `json:"done,omitempty" doc:"half: number of half-samples learned from so far"`
	Of   int `json:"of,omitempty" doc:"half: number of all half-samples"`

	Graph *DrawnGraph `json:"graph,omitempty" doc:"step: the graph so far, its heaviest edges only; graph: the learned graph"`

	Stage       int      `json:"stage,omitempty" doc:"begin, stage, step, half: number of the stage that the run is in, from 1"`
	Stages      int      `json:"stages,omitempty" doc:"begin, stage, step, half: number of stages that the run is expected to have"`
	StageName   string   `json:"stage_name,omitempty" doc:"begin, stage, step, half: what is done in the stage (choosing a method, learning, pruning, held-out signals, confidence, all other signals)"`
	SecondsLeft *float64 `json:"seconds_left,omitempty" doc:"begin, stage, step, half: estimate of the time left, in seconds; absent if there is none yet"`
}

// A DrawnGraph is a graph with places, for a picture that follows the work.
type DrawnGraph struct {
	Vertices []string    `json:"vertices,omitempty" doc:"names of the vertices, in the first graph and in the learned one"`
	Edges    [][]Rounded `json:"edges" doc:"for each edge the numbers of its vertices, from 0, its weight and, if known, its confidence"`
	Directed bool        `json:"directed,omitempty" doc:"true if edges are arrows from their first vertex to their second"`
	X        []Rounded   `json:"x" doc:"x coordinate of each vertex in a picture"`
	Y        []Rounded   `json:"y" doc:"y coordinate of each vertex, upwards"`
}

// A Rounded is a number with as many digits as a picture needs: five, or all of
// them if it is whole, as the numbers of vertices are.
type Rounded float64

// MarshalJSON implements json.Marshaler.
func (r Rounded) MarshalJSON() ([]byte, error) {
	if v := float64(r); v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.AppendInt(nil, int64(v), 10), nil
	}
	return strconv.AppendFloat(nil, float64(r), 'g', 5, 64), nil
}
