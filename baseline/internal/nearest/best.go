package nearest

import (
	"cmp"
	"math"
	"slices"
)

// A Neighbour is a vertex and how near it is.
type Neighbour struct {
	Value  float64
	Vertex int32
}

// A Best has the largest of many values, each with its vertex. Among equal ones the first vertex counts
// for more, so that it does not matter in which order they come.
type Best struct {
	count  int
	above  float64 // what every value exceeds
	least  float64 // what a value must exceed, or equal, to be among them
	full   bool    // some may have been left out
	values []Neighbour
}

// NewBest returns one for that many values, each above a bound.
func NewBest(count int, above float64) Best {
	return Best{count: count, above: above, least: above, values: make([]Neighbour, 0, 2*count)}
}

// Least returns what values must reach to be among the best so far.
func (b *Best) Least() float64 { return b.least }

// Offer takes a value into account.
func (b *Best) Offer(value float64, vertex int) {
	if value < b.least || value <= b.above {
		return
	}
	b.values = append(b.values, Neighbour{value, int32(vertex)})
	if len(b.values) == cap(b.values) {
		b.full = true
		selectFirst(b.values, b.count)
		b.values = b.values[:b.count]
		b.least = b.values[b.count-1].Value
	}
}

// isBefore reports whether a value counts for more than another.
func (n Neighbour) isBefore(other Neighbour) bool {
	return n.Value > other.Value || n.Value == other.Value && n.Vertex < other.Vertex
}

// selectFirst puts the count values that come first in order there, the last of them last (Hoare's selection).
func selectFirst(values []Neighbour, count int) {
	for low, high := 0, len(values)-1; low < high; {
		pivot := values[(low+high)/2]
		i, j := low, high
		for i <= j {
			for values[i].isBefore(pivot) {
				i++
			}
			for pivot.isBefore(values[j]) {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case count-1 <= j:
			high = j
		case count-1 >= i:
			low = i
		default:
			return
		}
	}
}

// settle leaves only the best, the largest first.
func (b *Best) settle() {
	slices.SortFunc(b.values, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Vertex, b.Vertex))
	})
	if len(b.values) >= b.count {
		b.full = true
		b.values = b.values[:b.count]
	}
}

// Neighbours returns the best, the largest value first.
func (b *Best) Neighbours() []Neighbour {
	b.settle()
	return b.values
}

// Vertices returns those of the best, in order.
func (b *Best) Vertices() []int32 { return b.First(b.count) }

// First returns the vertices of some of the best, those of the largest values, in order.
func (b *Best) First(count int) []int32 {
	b.settle()
	all := make([]int32, min(count, len(b.values)))
	for k := range all {
		all[k] = b.values[k].Vertex
	}
	slices.Sort(all)
	return all
}

// Bound returns what no value that was left out exceeds: −∞ if there is none.
func (b *Best) Bound() float64 {
	if b.settle(); b.full {
		return b.values[b.count-1].Value
	}
	return math.Inf(-1)
}
