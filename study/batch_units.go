package study

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// What the names of the files end in that have a unit's correlations, and its graph with what it borrows.
const (
	correlationsEnd = ".correlations"
	pooledEnd       = ".pooled"
)

// correlationsOf describes the signals that a graph was learned from, for the comparison of groups.
type correlationsOf struct {
	Names        []string    `json:"names"`
	Constant     []string    `json:"constant,omitempty"` // those that do not vary: they have no correlations
	Observations float64     `json:"observations"`       // as many independent ones as they count for
	Correlations [][]float64 `json:"correlations"`       // below the diagonal, row by row
}

// describeCorrelations returns the correlations of what was learned from.
func describeCorrelations(ctx context.Context, a *nervure.Analysis) ([]byte, error) {
	y := a.Preparation.Y
	if a.Preparation.Scores != nil {
		y = a.Preparation.Scores
	}
	filled, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	c := correlationsOf{Names: a.Graph.Names(), Observations: prepare.EffectiveObservations(y)}
	r := groups.Correlations(filled)
	for i := range r.SymmetricDim() {
		row := make([]float64, i)
		for j := range i {
			row[j] = r.At(i, j)
		}
		c.Correlations = append(c.Correlations, row)
		if slices.Min(filled.RawRowView(i)) == slices.Max(filled.RawRowView(i)) {
			c.Constant = append(c.Constant, c.Names[i])
		}
	}
	return json.Marshal(c)
}

// A unit is a file whose graph was learned, in the comparison of groups.
type unit struct {
	name  string // of its outputs
	place int    // in the comparison of all graphs
	found correlationsOf
}

// among returns the correlations of some vertices.
func (u unit) among(names []string) *mat.SymDense {
	place := make(map[string]int, len(u.found.Names))
	for k, name := range u.found.Names {
		place[name] = k
	}
	r := mat.NewSymDense(len(names), nil)
	for i := range names {
		r.SetSym(i, i, 1)
		for j := range i {
			a, b := place[names[i]], place[names[j]]
			r.SetSym(i, j, u.found.Correlations[max(a, b)][min(a, b)])
		}
	}
	return r
}

func correlations(names []string, units []unit) []*mat.SymDense {
	list := make([]*mat.SymDense, len(units))
	for k, u := range units {
		list[k] = u.among(names)
	}
	return list
}

// commonNames returns the vertices that all units have and that vary in all, in the order of the first, and says what
// is left out: the correlations of a dead sensor are not 0, but unknown.
func commonNames(g *Groups, units []unit) []string {
	count, constant := map[string]int{}, map[string]int{}
	for _, u := range units {
		for _, name := range u.found.Names {
			count[name]++
		}
		for _, name := range u.found.Constant {
			constant[name]++
		}
	}
	var common, dead []string
	for _, name := range units[0].found.Names {
		switch {
		case count[name] < len(units):
		case constant[name] > 0:
			dead = append(dead, fmt.Sprintf("%s (in %s)", name, words.Plural(constant[name], "file")))
		default:
			common = append(common, name)
		}
	}
	if left := len(count) - len(common) - len(dead); left > 0 {
		g.Notes = append(
			g.Notes,
			fmt.Sprintf("%s that not all files have: groups are compared by the other %d", words.Plural(left, "vertex"), len(count)-left),
		)
	}
	if len(dead) > 0 {
		g.Notes = append(
			g.Notes,
			fmt.Sprintf("not compared, because constant: %s; groups are compared by the other %d", words.List(dead, "and"), len(common)),
		)
	}
	return common
}

// weights returns those of the learned graphs, each with mean 1 over its edges.
func (c *comparison) weights(names []string, units []unit) *groups.Values {
	v := &groups.Values{Names: names, Pairs: groups.AllPairs(len(names))}
	if c.mean.Directed() {
		v.Pairs = nil
		for i := range names {
			for j := range names {
				if i != j {
					v.Pairs = append(v.Pairs, [2]int{i, j})
				}
			}
		}
	}
	v.Of = mat.NewDense(len(units), len(v.Pairs), nil)
	for k, u := range units {
		found := c.found[u.place]
		for p, pair := range v.Pairs {
			v.Of.Set(k, p, found[c.arc(names[pair[0]], names[pair[1]])]*float64(len(found)))
		}
	}
	return v
}

// arc is the key of a pair of vertices.
func (c *comparison) arc(from, to string) arc {
	if !c.mean.Directed() && from > to {
		from, to = to, from
	}
	return arc{from, to}
}

// among returns how alike the graphs of units are, from 0 to 1.
func (c *comparison) among(units []unit) [][]float64 {
	alike := make([][]float64, len(units))
	for a, u := range units {
		for _, v := range units {
			alike[a] = append(alike[a], 1-c.distance[u.place][v.place])
		}
	}
	return alike
}

// graphOf returns what units have in common; the confidence of an edge is the share of their own graphs that have it,
// with the same sign.
func (g *Groups) graphOf(members []unit, places []int, c *comparison) (*graph.Graph, error) {
	v := g.Values.Means(alone(places))
	if g.Value == partialCorrelation { // about the mean of these
		var err error
		if v, err = groups.OfCorrelations(g.Names, correlations(g.Names, members)); err != nil {
			return nil, err
		}
	}
	pool, err := groups.PoolOf(v)
	if err != nil {
		return nil, err
	}
	var of *graph.Graph
	if g.Value == partialCorrelation {
		of, err = pool.Graph(g.Names)
	} else {
		of, err = g.build(pool.Clear())
	}
	if err != nil || of.EdgeCount() == 0 {
		return of, err
	}
	share := make([]float64, of.EdgeCount())
	for k, e := range of.Edges() {
		for _, u := range members {
			if weight := c.found[u.place][c.arc(g.Names[e.I], g.Names[e.J])]; weight*e.Weight > 0 {
				share[k] += 1 / float64(len(members))
			}
		}
		share[k] = min(share[k], 1)
	}
	return of.WithConfidence(share)
}

// build returns the graph of pairs by their means.
func (g *Groups) build(pairs []groups.Pooled) (*graph.Graph, error) {
	edges := make([]graph.Edge, len(pairs))
	for k, p := range pairs {
		edges[k] = graph.Edge{I: p.I, J: p.J, Weight: p.Mean}
	}
	if g.Values.Directed() {
		return graph.NewDirected(g.Names, edges)
	}
	return graph.New(g.Names, edges)
}

// alone makes each place a unit.
func alone(places []int) [][]int {
	list := make([][]int, len(places))
	for k, u := range places {
		list[k] = []int{u}
	}
	return list
}

// members returns the units of each group; of all if there are none. Groups come in the order of their first units,
// so that sums over them have the same last digits in each run.
func (g *Groups) members() [][]int {
	units, _ := g.Values.Of.Dims()
	var of [][]int
	at := map[string]int{}
	for u := range units {
		k, ok := at[g.level(u)]
		if !ok {
			k = len(of)
			at[g.level(u)], of = k, append(of, nil)
		}
		of[k] = append(of[k], u)
	}
	return of
}

// level is the group of a unit.
func (g *Groups) level(u int) string {
	if g.Design.Groups == nil {
		return ""
	}
	return g.Design.Groups[u]
}

// poolUnits finds the graph of each file with what it borrows from the others of its group.
func (g *Groups) poolUnits(units []unit) error {
	g.pooled = make([]*graph.Graph, len(units))
	for _, of := range g.members() {
		v := g.partial.Means(alone(of))
		pool, err := groups.PoolOf(v)
		if input.Find(err) != nil {
			continue // too few to borrow from
		}
		if err != nil {
			return err
		}
		for k, u := range of {
			if g.pooled[u], err = pool.Unit(v, k, max(units[u].found.Observations, 2)); err != nil {
				return err
			}
		}
	}
	return nil
}
