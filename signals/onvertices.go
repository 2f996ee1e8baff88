package signals

import (
	"slices"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/nervure/nervure/input"
)

// OnVertices returns the set with its rows in the order of the given names. A set
// without names is taken to be in that order already. Names that are not those of
// the set, in any order, are an [*input.Error].
func (s *Set) OnVertices(op string, names []string) (*Set, error) {
	if s == nil || s.Y == nil {
		return nil, input.Errorf(op, input.Signals, "got none")
	}
	n, _ := s.Y.Dims()
	if n != len(names) {
		return nil, input.Errorf(op, input.Vertices, "got signals on %d, want %d", n, len(names))
	}
	if s.Names == nil || slices.Equal(s.Names, names) {
		return s, nil
	}
	row := make(map[string]int, n)
	for i, name := range s.Names {
		row[name] = i
	}
	order := make([]int, n)
	for k, name := range names {
		i, ok := row[name]
		if !ok {
			return nil, input.Errorf(op, input.Names, "the signals have no vertex %q", name)
		}
		order[k] = i
	}
	moved := *s
	moved.Y, moved.Names = matrix.Rows(s.Y, order), slices.Clone(names)
	return &moved, nil
}
