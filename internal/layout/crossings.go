package layout

// tries is how many drawings of a component are made to choose from: several of a
// small one, where they cost little and a crossing stands out.
func tries(n int) int {
	const most, budget = 8, 40_000
	return max(min(most, budget/(n*n)), 1)
}

// clearest draws a connected graph in several ways and returns the one where the
// fewest edges cross.
func (w *springGraph) clearest() drawing {
	n := w.vertices()
	var best drawing
	fewest := -1
	for try := range tries(n) {
		d := w.unfold(try)
		d.spread(w, polishSteps(n))
		if tries(n) == 1 {
			return d
		}
		if c := w.crossings(d); fewest < 0 || c < fewest {
			best, fewest = d, c
		}
		if fewest == 0 {
			break
		}
	}
	return best
}

// crossings counts the pairs of edges that cross, those with an end in common
// aside.
func (w *springGraph) crossings(d drawing) int {
	var edges [][2]int
	for i := range w.vertices() {
		near, _ := w.around(i)
		for _, j := range near {
			if int(j) > i {
				edges = append(edges, [2]int{i, int(j)})
			}
		}
	}
	count := 0
	for k, a := range edges {
		for _, b := range edges[:k] {
			if a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] && d.cross(a, b) {
				count++
			}
		}
	}
	return count
}

// cross reports whether two edges cross: the ends of each lie on different sides of
// the other.
func (d drawing) cross(a, b [2]int) bool {
	return d.left(a, b[0]) != d.left(a, b[1]) && d.left(b, a[0]) != d.left(b, a[1])
}

// left reports whether a vertex lies to the left of the way along an edge.
func (d drawing) left(edge [2]int, v int) bool {
	i, j := edge[0], edge[1]
	return float64((d.x[j]-d.x[i])*(d.y[v]-d.y[i])) > float64((d.y[j]-d.y[i])*(d.x[v]-d.x[i]))
}
