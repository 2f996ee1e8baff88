package study

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// Members says which group each file of a batch belongs to.
type Members struct {
	Grouping

	// Table has a row for each file: one of its columns has their names, with or without folders and
	// extensions.
	Table *dataio.TextTable
	File  string // that the table is from, for sentences
}

// rowsOf returns the row of each file, -1 where there is none, by the column that names most of them.
func (m *Members) rowsOf(files []string) []int {
	best, most := make([]int, len(files)), 0
	for k := range best {
		best[k] = -1
	}
	for c := range m.Table.Header {
		at := map[string]int{}
		for r, row := range m.Table.Rows {
			if _, twice := at[row[c]]; twice {
				at[row[c]] = -1 // of no use
			} else {
				at[row[c]] = r
			}
		}
		rows, found := make([]int, len(files)), 0
		for k, file := range files {
			rows[k] = -1
			base := filepath.Base(file)
			for _, name := range []string{file, filepath.ToSlash(file), base, outputName(file, 0), strings.TrimSuffix(base, filepath.Ext(base))} {
				if r, ok := at[name]; ok && r >= 0 {
					rows[k] = r
					found++
					break
				}
			}
		}
		if found > most {
			best, most = rows, found
		}
	}
	return best
}

// A membership is the files that can be compared, and what is known about them.
type membership struct {
	files []int    // places in the batch
	left  []string // what is said of those left out
	cells map[string][]string
}

// of finds out what the table says about files. Columns that are not there, and a design that cannot be tested even
// if all files are learned, are an *input.Error.
func (m *Members) of(files []string) (*membership, groups.Design, error) {
	var design groups.Design
	columns := m.Columns()
	if len(columns) == 0 || m.By == "" && m.Covariate == "" {
		return nil, design, input.Completef(groupsOp, "by", "there is no column to compare by")
	}
	all := map[string][]string{}
	for _, name := range columns {
		cells, ok := m.Table.Column(name)
		if !ok {
			return nil, design, &input.Error{File: m.File, Msg: fmt.Sprintf("there is no column %q: the columns are %s", name, words.List(m.Table.Header, "and"))}
		}
		all[name] = cells
	}
	rows := m.rowsOf(files)
	s := &membership{cells: map[string][]string{}}
	for k, file := range files {
		row := rows[k]
		switch {
		case row < 0:
			s.left = append(s.left, fmt.Sprintf("%s is not in %s and is not compared", file, m.File))
			continue
		case slices.ContainsFunc(columns, func(name string) bool { return isMissingLabel(all[name][row]) }):
			s.left = append(s.left, fmt.Sprintf("%s lacks %s in %s and is not compared", file, words.List(columns, "or"), m.File))
			continue
		}
		s.files = append(s.files, k)
		for _, name := range columns {
			s.cells[name] = append(s.cells[name], all[name][row])
		}
	}
	if len(s.files) == 0 {
		return nil, design, &input.Error{File: m.File, Msg: fmt.Sprintf("no column has the names of the files, such as %s", filepath.Base(files[0]))}
	}
	design, err := m.design(func(name string) []string { return s.cells[name] }, func(k int) string { return files[s.files[k]] })
	return s, design, err
}

// check refuses groups that cannot be compared before anything is learned.
func (m *Members) check(ctx context.Context, files []string) error {
	s, design, err := m.of(files)
	if err != nil {
		return err
	}
	values := &groups.Values{Pairs: [][2]int{{0, 1}}, Of: mat.NewDense(len(s.files), 1, nil)}
	_, err = groups.Test(ctx, values, design, groups.Options{Permutations: 1})
	return err
}

// correlationsOf describes the signals that a graph was learned from, for the comparison of groups.
type correlationsOf struct {
	Names        []string    `json:"names"`
	Observations float64     `json:"observations"` // as many independent ones as they count for
	Correlations [][]float64 `json:"correlations"` // below the diagonal, row by row
}

const (
	// mostCompared is the number of vertices up to which all pairs are compared.
	mostCompared = 1000
	// correlationsSuffix is what the file of a unit's correlations ends in.
	correlationsSuffix = ".correlations.json"
)

// describeCorrelations returns the correlations of what was learned from.
func describeCorrelations(ctx context.Context, a *nervure.Analysis) ([]byte, error) {
	y := a.Preparation.Y
	if a.Preparation.Scores != nil {
		y = a.Preparation.Scores
	}
	filled, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	c := correlationsOf{Names: a.Graph.Names(), Observations: prepare.EffectiveObservations(y)}
	r := groups.Correlations(filled)
	for i := range r.SymmetricDim() {
		row := make([]float64, i)
		for j := range i {
			row[j] = r.At(i, j)
		}
		c.Correlations = append(c.Correlations, row)
	}
	return json.Marshal(c)
}

// A unit is a file whose graph was learned, in the comparison of groups.
type unit struct {
	name  string // of its outputs
	found correlationsOf
}

// compareGroups compares the graphs, and returns what is written about it.
func (r *run) compareGroups(ctx context.Context) (*Groups, map[string][]byte, error) {
	s, _, err := r.Groups.of(r.Files)
	if err != nil {
		return nil, nil, err
	}
	g := &Groups{Unit: "file", Exact: true, Notes: s.left}
	var units []unit
	var kept []int
	for k, place := range s.files {
		j := r.jobs[place]
		if e := r.done[j.name]; e.Row.Error != "" {
			g.Notes = append(g.Notes, fmt.Sprintf("%s has no graph and is not compared: %s", j.file, e.Row.Error))
			continue
		}
		u := unit{name: j.name}
		content, err := durable.ReadFile(filepath.Join(r.Dir, j.name+correlationsSuffix))
		if err == nil {
			err = json.Unmarshal(content, &u.found)
		}
		if err != nil {
			return nil, nil, err
		}
		g.Method = r.done[j.name].Row.Method
		units, kept = append(units, u), append(kept, k)
	}
	if len(units) == 0 {
		return nil, nil, input.Completef(groupsOp, "files", "no file has both a graph and a group")
	}
	if g.Names = commonNames(g, units); len(g.Names) < leastCommon {
		return nil, nil, input.Completef(groupsOp, "files", "the files have only %s in common, and groups are compared by those", words.Plural(len(g.Names), "vertex"))
	}
	if len(g.Names) > mostCompared {
		return nil, nil, input.Completef(groupsOp, "files", "groups are compared up to %d vertices, got %d", mostCompared, len(g.Names))
	}
	g.Design, err = r.Groups.design(func(name string) []string {
		var cells []string
		for _, k := range kept {
			cells = append(cells, s.cells[name][k])
		}
		return cells
	}, func(k int) string { return units[k].name })
	if err != nil {
		return nil, nil, err
	}
	for _, u := range units {
		g.Units = append(g.Units, u.name)
	}
	if err := r.fillGroups(ctx, g, units); err != nil {
		return nil, nil, err
	}
	files, err := g.Files(r.groupCommand())
	if err == nil {
		files["groups.html"], err = g.Page("Do the graphs differ?", r.groupCommand())
	}
	if err != nil {
		return nil, nil, err
	}
	return g, files, g.addPooled(files, units)
}

// groupCommand says by what groups were compared.
func (r *run) groupCommand() string {
	words := []string{"nervure batch … --groups", r.Groups.File}
	for _, flag := range [][2]string{{"by", r.Groups.By}, {"paired", r.Groups.Paired}, {"covariate", r.Groups.Covariate}} {
		if flag[1] != "" {
			words = append(words, "--"+flag[0], flag[1])
		}
	}
	return strings.Join(words, " ")
}

// fillGroups tests the groups and finds their graphs.
func (r *run) fillGroups(ctx context.Context, g *Groups, units []unit) error {
	correlations := make([]*mat.SymDense, len(units))
	for k, u := range units {
		correlations[k] = u.among(g.Names)
	}
	var err error
	if g.partial, err = groups.OfCorrelations(g.Names, correlations); err != nil {
		return err
	}
	g.Values, g.Value = g.partial, partialCorrelation
	if entry, ok := nervure.MethodByName(g.Method); ok && (entry.Has(method.HasCodes) || entry.Has(method.DirectedEdges)) {
		if g.Values, err = r.weights(g.Names, units); err != nil {
			return err
		}
		g.Value = edgeWeight
	}
	o := groups.Options{Permutations: r.Groups.Permutations, Seed: r.Learn.Seed, Threads: r.Threads}
	if g.Test, err = groups.Test(ctx, g.Values, g.Design, o); err != nil {
		return err
	}
	for k := range len(g.Test.Levels) + 1 {
		var members []*mat.SymDense
		for u := range units {
			if k == len(g.Test.Levels) || g.Design.Groups[u] == g.Test.Levels[k] {
				members = append(members, correlations[u])
			}
		}
		of, err := groupGraph(g.Names, members)
		if fault := input.Find(err); fault != nil {
			g.Notes = append(g.Notes, fmt.Sprintf("%s has no graph: %s", g.Test.Levels[k], fault.Fault()))
			of, err = graph.New(g.Names, nil)
		}
		if err != nil {
			return err
		}
		g.Graphs = append(g.Graphs, of)
	}
	return nil
}

// groupGraph returns what units have in common.
func groupGraph(names []string, units []*mat.SymDense) (*graph.Graph, error) {
	v, err := groups.OfCorrelations(names, units)
	if err != nil {
		return nil, err
	}
	pool, err := groups.PoolOf(v)
	if err != nil {
		return nil, err
	}
	return pool.Graph(names)
}

// addPooled adds the graph of each file with what it borrows from the others of its group.
func (g *Groups) addPooled(files map[string][]byte, units []unit) error {
	level := func(u int) string {
		if g.Design.Groups == nil {
			return ""
		}
		return g.Design.Groups[u]
	}
	members := map[string][]int{}
	for u := range units {
		members[level(u)] = append(members[level(u)], u)
	}
	for _, of := range members {
		alone := make([][]int, len(of))
		for k, u := range of {
			alone[k] = []int{u}
		}
		v := g.partial.Means(alone)
		pool, err := groups.PoolOf(v)
		if input.Find(err) != nil {
			continue // too few to borrow from
		}
		if err != nil {
			return err
		}
		for k, u := range of {
			pooled, err := pool.Unit(v, k, max(units[u].found.Observations, 2))
			if err != nil {
				return err
			}
			if files[units[u].name+".pooled.csv"], err = encoded(pooled); err != nil {
				return err
			}
		}
	}
	return nil
}

// commonNames returns the vertices that all units have, in the order of the first, and says what is left out.
func commonNames(g *Groups, units []unit) []string {
	common := slices.Clone(units[0].found.Names)
	all := map[string]bool{}
	for _, u := range units {
		common = slices.DeleteFunc(common, func(name string) bool { return !slices.Contains(u.found.Names, name) })
		for _, name := range u.found.Names {
			all[name] = true
		}
	}
	if left := len(all) - len(common); left > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("%s that not all files have: groups are compared by the other %d", words.Plural(left, "vertex"), len(common)))
	}
	return common
}

// among returns the correlations of some vertices.
func (u unit) among(names []string) *mat.SymDense {
	at := make([]int, len(names))
	for k, name := range names {
		at[k] = slices.Index(u.found.Names, name)
	}
	r := mat.NewSymDense(len(names), nil)
	for i := range names {
		r.SetSym(i, i, 1)
		for j := range i {
			a, b := max(at[i], at[j]), min(at[i], at[j])
			r.SetSym(i, j, u.found.Correlations[a][b])
		}
	}
	return r
}

// weights returns those of the learned graphs, each with mean 1 over its edges.
func (r *run) weights(names []string, units []unit) (*groups.Values, error) {
	v := &groups.Values{Names: names, Pairs: groups.AllPairs(len(names))}
	var rows []map[arc]float64
	directed := false
	for _, u := range units {
		found, of, err := r.learnedArcs(u.name)
		if err != nil {
			return nil, err
		}
		directed = directed || of
		rows = append(rows, found)
	}
	if directed {
		v.Pairs = nil
		for i := range names {
			for j := range names {
				if i != j {
					v.Pairs = append(v.Pairs, [2]int{i, j})
				}
			}
		}
	}
	v.Of = mat.NewDense(len(units), len(v.Pairs), nil)
	for u, found := range rows {
		for p, pair := range v.Pairs {
			a := arc{names[pair[0]], names[pair[1]]}
			if !directed && a.from > a.to {
				a.from, a.to = a.to, a.from
			}
			v.Of.Set(u, p, found[a]*float64(len(found)))
		}
	}
	return v, nil
}
