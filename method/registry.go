package method

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// An Entry is a method that can be asked for by name, and what is known about it.
type Entry struct {
	Default Method // with its zero options
	About   string // what it does, in one line; what is before a colon or semicolon says it in short
	Source  string // key of references.bib, or "" for folklore

	// OnlyNamed keeps the method out of comparisons that do not name it, because it is slow.
	OnlyNamed    bool
	MostVertices int // that it has room for; zero means any number
	// MostCompared is the most vertices of comparisons that do not name it: of more it may take minutes; zero means
	// any number.
	MostCompared int

	// NewOwn returns an empty [Result.Own], to read one that was kept. Without it, a run that goes on
	// later or elsewhere learns again what has an Own.
	NewOwn func() Kept
}

// Name returns the name of the method.
func (e Entry) Name() string { return e.Default.Name() }

// Spelled returns the name of the method and, in brackets, what it stands for.
func (e Entry) Spelled() string {
	short := e.About
	if end := strings.IndexAny(short, ":;"); end >= 0 {
		short = short[:end]
	}
	return e.Name() + " (" + short + ")"
}

// Has reports whether the method has a capability.
func (e Entry) Has(c Capability) bool { return Has(e.Default, c) }

// A Registry is methods by name. The zero Registry is empty.
type Registry struct{ entries []Entry }

// Add puts a method into the registry and returns its entry, so that the file of
// a method can register it in a declaration:
//
//	var glasso = registry.Add(method.Entry{Default: Glasso{}, …})
//
// It panics if the name is taken or a parameter cannot be set from text.
func (r *Registry) Add(e Entry) Entry {
	if _, taken := r.Find(e.Name()); taken {
		panic("method: two methods are called " + e.Name())
	}
	checkFields(e.Default)
	r.entries = append(r.entries, e)
	slices.SortFunc(r.entries, func(a, b Entry) int { return cmp.Compare(a.Name(), b.Name()) })
	return e
}

// Entries lists the methods by name.
func (r *Registry) Entries() []Entry { return slices.Clone(r.entries) }

// Find returns the method of that name.
func (r *Registry) Find(name string) (Entry, bool) {
	k := slices.IndexFunc(r.entries, func(e Entry) bool { return e.Name() == name })
	if k < 0 {
		return Entry{}, false
	}
	return r.entries[k], true
}

// Known is what is known about the edges before the signals are seen. The zero value is
// nothing.
type Known struct {
	// Allow lists the pairs of vertices that may have an edge, nil meaning all; Forbid
	// lists pairs that may not, even if they are allowed. Vertices are numbered from 0.
	Allow, Forbid [][2]int
	Init          *graph.Graph // to start from; nil if there is none
	Prior         *graph.Graph // that the weights are pulled towards; nil if there is none
	PriorWeight   float64      // as how many signals the prior counts; zero means the method's own
}

// IsEmpty reports whether nothing is known.
func (k Known) IsEmpty() bool {
	return k.Allow == nil && k.Forbid == nil && k.Init == nil && k.Prior == nil && k.PriorWeight == 0
}

// OnVertices returns k with its graphs on the named vertices, matched by name. A graph
// of as many vertices without names of its own is taken in their order.
func (k Known) OnVertices(names []string) (Known, error) {
	for _, g := range []struct {
		field input.Field
		graph **graph.Graph
	}{{input.Init, &k.Init}, {input.Prior, &k.Prior}} {
		var err error
		if *g.graph, err = OnVertices(g.field, *g.graph, names); err != nil {
			return k, err
		}
	}
	return k, nil
}

// OnVertices returns a graph, which may be nil, on the named vertices, matched by name if
// it has other names than the default ones.
func OnVertices(field input.Field, g *graph.Graph, names []string) (*graph.Graph, error) {
	if g == nil || g.Vertices() == len(names) && slices.Equal(g.Names(), graph.DefaultNames(len(names))) {
		return g, nil
	}
	moved, err := g.OnVertices(names)
	if err != nil {
		return nil, input.Errorf("nervure", field, "it has a vertex that the signals do not have: %v", err)
	}
	return moved, nil
}

// refusedBy returns an error if a method cannot use what is known.
func (k Known) refusedBy(m Method) error {
	if k.IsEmpty() || Has(m, UsesKnown) {
		return nil
	}
	field := input.ForbiddenPairs
	switch {
	case k.Prior != nil:
		field = input.Prior
	case k.Init != nil:
		field = input.Init
	case k.Allow != nil:
		field = input.AllowedPairs
	}
	return input.Errorf(m.Name(), field, "the method has no use for edges that are known beforehand")
}
