package matrix

// Sets are disjoint sets of 0 … n−1, each known by the least of them.
type Sets []int

// NewSets returns n sets of one each.
func NewSets(n int) Sets { return Span(0, n) }

// Find returns what the set of i is known by.
func (s Sets) Find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Unite makes one set of those of i and j, and reports false if they were.
func (s Sets) Unite(i, j int) bool {
	i, j = s.Find(i), s.Find(j)
	s[max(i, j)] = min(i, j)
	return i != j
}
