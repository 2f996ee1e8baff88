package layout

import (
	"slices"

	"github.com/nervure/nervure/internal/matrix"
)

// longLoop is how many edges the way round an edge has at most, if that is no shortcut.
const longLoop = 8

// withoutShortcuts returns a large graph without light edges between vertices that are far apart otherwise. There are
// always some among thousands of edges that were learned, and a few of them draw the ends of a sheet
// together. Those that hold the graph together stay.
func (w *springGraph) withoutShortcuts() *springGraph {
	n := w.vertices()
	if n <= mostPivots {
		return w
	}
	isShort := make([]bool, len(w.near))
	joined := matrix.NewSets(n)
	var dropped [][2]int // vertex and place of its edge
	seen := make([]int, n)
	for i := range n {
		near, length := w.around(i)
		for e, j := range near {
			switch at := w.first[i] + e; {
			case int(j) < i:
			case length[e] > whole && !w.hasWayRound(i, int(j), seen, at+1):
				dropped = append(dropped, [2]int{i, at})
			default:
				joined.Unite(i, int(j))
			}
		}
	}
	slices.SortStableFunc(dropped, func(a, b [2]int) int { return int(w.length[a[1]] - w.length[b[1]]) })
	for _, d := range dropped {
		i, j := d[0], int(w.near[d[1]])
		if joined.Unite(i, j) {
			continue
		}
		back, _ := w.around(j)
		isShort[d[1]], isShort[w.first[j]+slices.Index(back, int32(i))] = true, true
	}
	rest := &springGraph{first: make([]int, 1, n+1), label: w.label}
	for i := range n {
		for at := w.first[i]; at < w.first[i+1]; at++ {
			if !isShort[at] {
				rest.near, rest.length = append(rest.near, w.near[at]), append(rest.length, w.length[at])
			}
		}
		rest.first = append(rest.first, len(rest.near))
	}
	return rest
}

// hasWayRound reports whether a few other edges lead from one end of an edge to the other. Vertices that were seen are
// marked by a number that no other call has.
func (w *springGraph) hasWayRound(from, to int, seen []int, mark int) bool {
	seen[from] = mark
	front := []int{from}
	for hops := 0; hops < longLoop && len(front) > 0; hops++ {
		var next []int
		for _, i := range front {
			near, _ := w.around(i)
			for _, j := range near {
				k := int(j)
				switch {
				case k == to && i == from, seen[k] == mark:
				case k == to:
					return true
				default:
					seen[k] = mark
					next = append(next, k)
				}
			}
		}
		front = next
	}
	return false
}
