package learn

import (
	"cmp"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

// defaultPriorWeight is how many signals a prior counts as unless told: enough to
// decide between graphs where signals are few, nothing beside hundreds.
const defaultPriorWeight = 5

// checkSideInformation checks what the options say is known about n vertices, and
// fills in the weight of the prior.
func (o *Options) checkSideInformation(n int, f *faults) {
	f.checkPairs(o.Allow, n, input.AllowedPairs)
	f.checkPairs(o.Forbid, n, input.ForbiddenPairs)
	f.checkVertices(o.Init, n, input.Init)
	f.checkVertices(o.Prior, n, input.Prior)
	f.check(!finiteNonNegative(o.PriorWeight), fieldPriorWeight, "got %g, want a number of at least 0", o.PriorWeight)
	f.check(o.Prior == nil && o.PriorWeight > 0, fieldPriorWeight, "got %g, but there is no prior", o.PriorWeight)
	if o.Prior != nil {
		o.PriorWeight = cmp.Or(o.PriorWeight, defaultPriorWeight)
	}
}

// checkVertices refuses a graph of other than n vertices, and a directed one.
func (f *faults) checkVertices(g *graph.Graph, n int, field input.Field) {
	if g != nil {
		f.check(g.Vertices() != n, field, "got a graph of %d vertices, want %d", g.Vertices(), n)
		f.check(g.Directed(), field, "the graph is directed, and edges of this model have no direction")
	}
}

// checkPairs refuses a pair that is none of n vertices.
func (f *faults) checkPairs(pairs [][2]int, n int, field input.Field) {
	for _, p := range pairs {
		switch i, j := p[0], p[1]; {
		case min(i, j) < 0 || max(i, j) >= n:
			f.add(field, "pair (%d, %d): the vertices are 0 to %d", i, j, n-1)
			return
		case i == j:
			f.add(field, "pair (%d, %d): a vertex has no edge to itself", i, j)
			return
		}
	}
}

// addKnown takes in what a problem says is known. Graphs are matched with the names of
// the vertices.
func (o *Options) addKnown(k method.Known) error {
	if k.Allow != nil {
		o.Allow = k.Allow
	}
	if k.Forbid != nil {
		o.Forbid = k.Forbid
	}
	if k.Init != nil {
		o.Init = k.Init
	}
	if k.Prior != nil {
		o.Prior, o.PriorWeight = k.Prior, k.PriorWeight
	}
	if o.Names == nil {
		return nil
	}
	known, err := method.Known{Init: o.Init, Prior: o.Prior}.OnVertices(o.Names)
	o.Init, o.Prior = known.Init, known.Prior
	return err
}
