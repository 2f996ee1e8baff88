package kernel

import (
	"cmp"
	"slices"
	"strings"
)

// A Family is a kind of kernel that [Parse] knows by name. Each is registered in a
// declaration: what reads, lists, explains and completes specifications asks [Families].
type Family struct {
	Name     string // such as "heat"
	Argument string // what follows the name and a colon, such as "TAU"
	Formula  string // g(λ), in one line
	About    string // what it is for, in one line
	Example  string // a specification, such as "heat:2"

	shape *shape // of families with one number, the scale; else nil
	// fromNumbers makes a kernel of a family without scale from what was written.
	fromNumbers func(spec string, numbers []float64) (Kernel, error)
}

// Usage returns how kernels of the family are written, such as "heat:TAU".
func (f Family) Usage() string { return f.Name + ":" + f.Argument }

// Families lists all families: those with a scale by name, then the others.
func Families() []Family {
	list := make([]Family, len(families))
	for i, f := range families {
		list[i] = *f
	}
	return list
}

var families []*Family

// register adds a family to those that Families lists. A name that is taken is a bug.
func register(f Family) *Family {
	if find(f.Name) != nil {
		panic("kernel: two families are called " + f.Name)
	}
	families = append(families, &f)
	slices.SortFunc(families, func(a, b *Family) int {
		return cmp.Or(cmp.Compare(a.group(), b.group()), cmp.Compare(a.Name, b.Name))
	})
	return &f
}

// group is 0 for families with a scale and 1 for the others.
func (f *Family) group() int {
	if f.shape != nil {
		return 0
	}
	return 1
}

// find returns the family of that name, or nil.
func find(name string) *Family {
	for _, f := range families {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// either returns what of says of each family, as "a, b or c".
func either(of func(f *Family) string) string {
	words := make([]string, len(families))
	for i, f := range families {
		words[i] = of(f)
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
