package study

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// GroupOptions say how the groups of a table's rows are learned from and compared.
type GroupOptions struct {
	Grouping

	// Learn is how to learn from all rows, and what the groups take over: the method as it was chosen.
	Learn nervure.Options
	// Progress, if not nil, is told how many of the graphs are learned. Calls do not overlap.
	Progress func(done, of int)
}

// LearnGroups learns a graph for each group of rows, such as people who answered the same questions, and tests
// whether the graphs differ. [signals.Set.Labels] has the columns that o names.
//
// The method is chosen once, from all rows. A row is a unit; where rows follow one another in time, a unit is a
// block of them that is several times as long as they are alike, so that units can be exchanged. Each
// vertex has mean 0 and variance 1 in each group: levels and scales are not part of a graph.
func LearnGroups(ctx context.Context, s *nervure.Signals, o GroupOptions) (*Groups, error) {
	rows, err := labelled(s, o.Grouping)
	if err != nil {
		return nil, err
	}
	learn := o.Learn
	learn.AllSignals, learn.Confidence = true, nervure.No
	whole, err := nervure.Learn(ctx, rows, learn)
	if err != nil {
		return nil, err
	}
	y, kept, err := learnedRows(ctx, whole)
	if err != nil {
		return nil, err
	}
	r := &rowGroups{options: o, set: rows, whole: whole, kept: kept}
	design, err := r.design()
	if err != nil {
		return nil, err
	}
	if r.all, err = r.values(y, design.Groups); err != nil {
		return nil, err
	}
	g := &Groups{
		Names:  whole.Graph.Names(),
		Unit:   rowUnit,
		Value:  partialCorrelation,
		Method: whole.Result.Method.Name(),
		Exact:  true,
		Faults: whole.Faults,
	}
	if dropped := len(s.Labels[o.Columns()[0]]) - len(rows.Labels[o.Columns()[0]]); dropped > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("%s without %s: left out", words.Plural(dropped, "row"), words.List(o.Columns(), "or")))
	}
	if !whole.Preparation.Rows.Independent() {
		design = r.inBlocks(g, design)
	}
	g.Design, g.Values = design, r.all
	by := groups.Options{Permutations: o.Permutations, Seed: o.Learn.Seed, Threads: o.Learn.Threads}
	if g.Test, err = groups.Test(ctx, r.all, design, by); err != nil {
		return nil, err
	}
	g.Graphs, err = r.graphs(ctx, g)
	return g, err
}

// rowUnit is what a unit is called that is a single row.
const rowUnit = "row"

// A rowGroups is a call of LearnGroups.
type rowGroups struct {
	options GroupOptions
	set     *nervure.Signals // rows that have all labels
	whole   *nervure.Analysis
	kept    []int      // the row that each prepared observation is of
	z       *mat.Dense // the prepared rows, standardised in each group
	all     *groups.Values
}

// labelled returns the rows that have all labels.
func labelled(s *nervure.Signals, g Grouping) (*nervure.Signals, error) {
	columns := g.Columns()
	if len(columns) == 0 {
		return nil, input.Completef(groupsOp, "by", "there is no column to compare by")
	}
	_, m := s.Y.Dims()
	var kept []int
	for k := range m {
		if !slices.ContainsFunc(columns, func(name string) bool { return g.isMissing(name, s.Labels[name][k]) }) {
			kept = append(kept, k)
		}
	}
	if len(kept) == m {
		return s, nil
	}
	if len(kept) < 2 {
		return nil, input.Completef(groupsOp, "by", "hardly any row has %s", words.List(columns, "and"))
	}
	part := &signals.Set{
		Y:      matrix.Columns(s.Y, kept),
		Names:  s.Names,
		Times:  matrix.Pick(s.Times, kept),
		Notes:  s.Notes,
		Labels: map[string][]string{},
	}
	for name, all := range s.Labels {
		for _, k := range kept {
			part.Labels[name] = append(part.Labels[name], all[k])
		}
	}
	return part, nil
}

// isMissing reports whether a cell of a column says nothing. A group may well be called none.
func (g Grouping) isMissing(column, cell string) bool {
	missing := []string{"", "NA", "NaN", "N/A"}
	if column != g.By {
		missing = append(missing, "nan", "null", "None")
	}
	return slices.Contains(missing, cell)
}

// learnedRows returns what was learned from, without gaps, and the row that each observation is of.
func learnedRows(ctx context.Context, a *nervure.Analysis) (*mat.Dense, []int, error) {
	p := a.Preparation.AsGiven()
	y := p.Y
	if p.Scores != nil {
		y = p.Scores
	}
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, nil, err
	}
	_, have := y.Dims()
	_, m := p.Given.Dims()
	return y, matrix.Span(m-have, m), nil // differences: the first observation has none
}

// design returns that of the prepared rows.
func (r *rowGroups) design() (groups.Design, error) {
	d, err := r.options.design(func(name string) []string {
		cells := make([]string, len(r.kept))
		for k, row := range r.kept {
			cells[k] = r.set.Labels[name][row]
		}
		return cells
	}, func(k int) string { return fmt.Sprintf("observation %d", r.kept[k]+1) })
	d.Unit = rowUnit
	return d, err
}

// values returns those of the rows, standardised in each group.
func (r *rowGroups) values(y *mat.Dense, by []string) (*groups.Values, error) {
	z := mat.DenseCopyOf(y)
	n, m := z.Dims()
	members := map[string][]int{}
	for k := range m {
		level := ""
		if by != nil {
			level = by[k]
		}
		members[level] = append(members[level], k)
	}
	for _, level := range slices.Sorted(maps.Keys(members)) {
		of := members[level]
		values := make([]float64, len(of))
		for i := range n {
			row := z.RawRowView(i)
			for k, at := range of {
				values[k] = row[at]
			}
			if !standardise(values) {
				return nil, input.Completef(groupsOp, input.Signals, "%s does not vary in %s: leave it out", r.whole.Graph.Names()[i], level)
			}
			for k, at := range of {
				row[at] = values[k]
			}
		}
	}
	r.z = z
	return groups.OfRows(r.whole.Graph.Names(), z)
}

// blockLengths is how many times as long as rows are alike a block is.
const blockLengths = 3

// blockLength is how many consecutive signals a block has.
func blockLength(y *mat.Dense) int {
	_, m := y.Dims()
	return int(math.Ceil(blockLengths * float64(m) / prepare.EffectiveObservations(y)))
}

// inBlocks makes blocks of time the units.
func (r *rowGroups) inBlocks(g *Groups, d groups.Design) groups.Design {
	_, m := r.z.Dims()
	length := blockLength(r.z) // without levels of groups, which are not dependence
	if length <= 1 {
		return d
	}
	same := func(a, b int) bool {
		return (d.Groups == nil || d.Groups[a] == d.Groups[b]) && (d.Subjects == nil || d.Subjects[a] == d.Subjects[b])
	}
	var blocks [][]int
	for from := 0; from < m; {
		to := from
		for to < m && to < from+length && same(from, to) {
			to++
		}
		if to-from == length || 2*(to-from) > length { // a short rest is left out
			blocks = append(blocks, matrix.Span(from, to))
		}
		from = to
	}
	g.Unit = fmt.Sprintf("block of %d rows", length)
	merged := groups.Design{Unit: "block", By: d.By, Paired: d.Paired, CovariateName: d.CovariateName}
	for _, rows := range blocks {
		sum := 0.0
		for _, k := range rows {
			if d.Covariate != nil {
				sum += d.Covariate[k]
			}
		}
		if d.Groups != nil {
			merged.Groups = append(merged.Groups, d.Groups[rows[0]])
		}
		if d.Subjects != nil {
			merged.Subjects = append(merged.Subjects, d.Subjects[rows[0]])
		}
		if d.Covariate != nil {
			merged.Covariate = append(merged.Covariate, sum/float64(len(rows)))
		}
	}
	r.all = r.all.Means(blocks)
	g.Notes = append(
		g.Notes,
		fmt.Sprintf("rows follow one another in time: %s of %d rows are compared", words.Plural(len(blocks), "block"), length),
	)
	return merged
}

// graphs learns that of each group, and of all.
func (r *rowGroups) graphs(ctx context.Context, g *Groups) ([]*graph.Graph, error) {
	o := r.options.Learn
	o.Method, o.AllSignals = r.whole.Result.Method, true
	o.Prepare.Rows = r.whole.Preparation.Rows.Rows
	levels := g.Test.Levels
	tell := func(done int) {
		if r.options.Progress != nil {
			r.options.Progress(done, len(levels))
		}
	}
	var all []*graph.Graph
	for k, level := range levels {
		tell(k)
		var members []int
		for m, label := range r.set.Labels[r.options.By] {
			if label == level {
				members = append(members, m)
			}
		}
		a, err := nervure.Learn(
			ctx,
			&signals.Set{Y: matrix.Columns(r.set.Y, members), Names: r.set.Names, Times: matrix.Pick(r.set.Times, members)},
			o,
		)
		fault := input.Find(err)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case fault != nil:
			g.Notes = append(g.Notes, fmt.Sprintf("%s has no graph of its own: %s", level, fault.Fault()))
			empty, err := graph.New(g.Names, nil)
			if err != nil {
				return nil, err
			}
			all = append(all, empty)
		case err != nil:
			return nil, err
		default:
			all = append(all, a.Graph)
		}
	}
	tell(len(levels))
	return append(all, r.whole.Graph), nil
}
