package method

import (
	"cmp"
	"slices"
)

// An Entry is a method that can be asked for by name, and what is known about it.
type Entry struct {
	Default Method // with its zero options
	About   string // what it does, in one line
	Source  string // key of references.bib, or "" for folklore

	// OnlyNamed keeps the method out of comparisons that do not name it, because it is slow.
	OnlyNamed    bool
	MostVertices int // that it has room for; zero means any number
}

// Name returns the name of the method.
func (e Entry) Name() string { return e.Default.Name() }

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
