// Package records reads and writes files of results, a line of JSON for each record, and has
// what several measurements share.
package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/graph"
)

// Read reads a file of records; none if it does not exist yet. check says what is wrong
// with a record.
func Read[R any](path string, check func(R) error) ([]R, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []R
	for line := range strings.Lines(string(text)) {
		var r R
		err := json.Unmarshal([]byte(line), &r)
		if err == nil {
			err = check(r)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// Keep puts a record into a file of records, in the place of the one that order does not
// tell from it.
func Keep[R any](path string, r R, check func(R) error, order func(a, b R) int) error {
	list, err := Read(path, check)
	if err != nil {
		return err
	}
	list = append(slices.DeleteFunc(list, func(old R) bool { return order(old, r) == 0 }), r)
	slices.SortFunc(list, order)
	var text strings.Builder
	for _, r := range list {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}

// ParseSeeds reads a range of seeds such as 1-20, or one.
func ParseSeeds(text string) ([]uint64, error) {
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 32)
	to, wrong := strconv.ParseUint(last, 10, 32)
	if err != nil || wrong != nil || to < from || to-from > 1000 {
		return nil, fmt.Errorf("got %q for seeds, want FIRST-LAST, such as 1-20, or one", text)
	}
	var seeds []uint64
	for seed := from; seed <= to; seed++ {
		seeds = append(seeds, seed)
	}
	return seeds, nil
}

// sureFrom is the confidence from which on the tool is sure of an edge.
const sureFrom = 0.9

// SureEdges returns the edges of a graph that the tool is sure of; none without confidence.
func SureEdges(g *graph.Graph) (sure []graph.Edge) {
	edges := g.Edges()
	for k, c := range g.Confidence() {
		if c >= sureFrom {
			sure = append(sure, edges[k])
		}
	}
	return sure
}
