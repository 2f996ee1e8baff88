package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// An Evidence is which changes between windows are more than chance, and when. It is about partial correlations,
// whatever the method, and about windows that do not overlap.
type Evidence struct {
	Course  *groups.Course // nil if nothing was tested
	Windows []int          // those that were tested, by their places
	Block   int            // observations of a block, the unit that is permuted
	Why     string         // nothing was tested
}

// evidence tests the changes of prepared signals.
func (l *learning) evidence(ctx context.Context, y *mat.Dense) (*Evidence, error) {
	e := &Evidence{}
	var parts []Part
	for k, p := range l.parts {
		if l.looks[k].kept != nil && (len(parts) == 0 || p.From >= parts[len(parts)-1].To) {
			e.Windows, parts = append(e.Windows, k), append(parts, p)
		}
	}
	filled, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	z := inWindows(filled, parts)
	e.Block = max(blockLength(z), 1)
	n, _ := z.Dims()
	var blocks []*mat.SymDense
	var window []int
	from := 0
	for w, p := range parts {
		for k := range (p.To - p.From) / e.Block {
			blocks, window = append(blocks, moments(z.Slice(0, n, from+k*e.Block, from+(k+1)*e.Block))), append(window, w)
		}
		from += p.To - p.From
		if n*(n-1) > mostCompared/(len(blocks)+1) {
			e.Why = fmt.Sprintf("changes of %d vertices are not tested: they have more than %d million values", n, mostCompared/1_000_000)
			return e, nil
		}
	}
	if len(blocks) > 0 {
		e.Windows, window = inUse(e.Windows, window)
	}
	v, err := groups.OfCorrelations(l.names, blocks)
	if err == nil {
		e.Course, err = groups.Changes(ctx, v, window, groups.Options{Seed: l.options.Learn.Seed, Threads: l.whole.Options.Threads})
	}
	if fault := input.Find(err); fault != nil {
		e.Why = fmt.Sprintf("changes are not tested: %s of %s", fault.Fault(), words.Plural(e.Block, "observation"))
		return e, nil
	}
	return e, err
}

// inUse leaves out windows that are shorter than a block.
func inUse(windows, of []int) (used, place []int) {
	for _, w := range of {
		if len(used) == 0 || used[len(used)-1] != windows[w] {
			used = append(used, windows[w])
		}
		place = append(place, len(used)-1)
	}
	return used, place
}

// inWindows returns the signals of windows, one after the other, with mean 0 and variance 1 in each: levels and scales
// are not part of a graph. A vertex that does not vary in a window is 0 there.
func inWindows(y *mat.Dense, parts []Part) *mat.Dense {
	n, _ := y.Dims()
	m := 0
	for _, p := range parts {
		m += p.To - p.From
	}
	z := mat.NewDense(n, max(m, 1), nil)
	from := 0
	for _, p := range parts {
		to := from + p.To - p.From
		for i := range n {
			values := z.RawRowView(i)[from:to]
			copy(values, y.RawRowView(i)[p.From:p.To])
			standardise(values)
		}
		from = to
	}
	return z
}

// standardise gives values mean 0 and variance 1, and reports whether they vary: else they are zero.
func standardise(values []float64) bool {
	mean, variance := portable.PopMeanVariance(values)
	varies := variance > 0
	if !varies {
		variance = 0 // it is NaN where one of them is
	}
	matrix.Standardise(values, values, mean, math.Sqrt(variance))
	return varies
}

// moments returns the means of products of vertices.
func moments(z mat.Matrix) *mat.SymDense {
	n, m := z.Dims()
	r := mat.NewSymDense(n, nil)
	r.SymOuterK(1/float64(m), z)
	return r
}

// Sentence reports whether changes are more than chance, and when.
func (e *Evidence) Sentence(s *Series) string {
	if e.Course == nil {
		return e.Why
	}
	c := e.Course
	found := c.Clear(different)
	share := fmt.Sprintf("%d of %s (false discovery rate %g)", len(found), words.Plural(len(c.Pairs), "pair"), different)
	switch {
	case c.Whole.P > clearly && len(found) == 0:
		return fmt.Sprintf(
			"nothing shows that changes are more than chance (p = %.2g, blocks of %s)",
			c.Whole.P,
			words.Plural(e.Block, "observation"),
		)
	case c.Whole.P > clearly:
		return fmt.Sprintf("the graph as a whole changes no more than by chance (p = %.2g), but %s do", c.Whole.P, share)
	}
	return fmt.Sprintf(
		"changes are more than chance (p = %.2g), most clearly in the window from %s on; %s change",
		c.Whole.P,
		s.Windows[e.Windows[c.Moment]].String(),
		share,
	)
}

// q returns the false discovery rate at which each pair is said to change.
func (e *Evidence) q() map[[2]int]float64 {
	q := map[[2]int]float64{}
	if e.Course != nil {
		for _, c := range e.Course.Pairs {
			q[[2]int{c.I, c.J}] = c.Q
		}
	}
	return q
}

// describe adds what was found to the index.
func (e *Evidence) describe(x *document.WindowIndex, s *Series) {
	x.Test = &document.WindowTest{Block: e.Block, Untested: e.Why, Changes: []document.WindowChange{}}
	if e.Course == nil {
		return
	}
	x.Test.P, x.Test.Blocks, x.Test.Windows, x.Test.Permutations = &e.Course.Whole.P, e.Course.Units, e.Course.Windows, e.Course.Permutations
	x.Test.Moment = x.Rows[e.Windows[e.Course.Moment]].Name
	for k, p := range e.Course.Steps {
		x.Rows[e.Windows[k+1]].P = &p
	}
	for _, c := range e.Course.Clear(different) {
		x.Test.Changes = append(x.Test.Changes, document.WindowChange{
			Source: s.Names[c.I], Target: s.Names[c.J], Window: x.Rows[e.Windows[c.From]].Name, Only: c.Only,
			Before: c.Before, After: c.After, P: c.P, Q: c.Q,
		})
	}
}

// table lists all pairs, those that change most clearly first.
func (e *Evidence) table(x *document.WindowIndex, s *Series) [][]string {
	rows := [][]string{{"source", "target", "window", "only", "before", "after", "statistic", "p", "q"}}
	if e.Course == nil {
		return rows
	}
	for _, c := range e.Course.Ranked() {
		only := ""
		if c.Only {
			only = "yes"
		}
		rows = append(
			rows,
			[]string{
				s.Names[c.I],
				s.Names[c.J],
				x.Rows[e.Windows[c.From]].Name,
				only,
				number(c.Before),
				number(c.After),
				number(c.Statistic),
				number(c.P),
				number(c.Q),
			},
		)
	}
	return rows
}

// A shownChange is a row of the table of changes on the page.
type shownChange struct{ Pair, When, Before, After, Q string }

// shown lists the clearest changes.
func (e *Evidence) shown(s *Series) []shownChange {
	if e.Course == nil {
		return nil
	}
	var list []shownChange
	for _, c := range e.Course.Clear(different) {
		when := "from " + s.Windows[e.Windows[c.From]].String() + " on"
		if c.Only {
			when = "only in " + s.Windows[e.Windows[c.From]].String()
		}
		list = append(list, shownChange{s.Names[c.I] + " – " + s.Names[c.J], when, shown(c.Before), shown(c.After), chance(c.Q)})
		if len(list) == mostListed {
			break
		}
	}
	return slices.Clip(list)
}
