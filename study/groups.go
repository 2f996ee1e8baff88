package study

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// A Grouping says by which columns of a table units are compared: those of the rows of a table of people, or of
// the files of a batch.
type Grouping struct {
	By           string // the column of the groups; empty for a question about the covariate
	Paired       string // the column that says whose a unit is, if a subject has several
	Covariate    string // a column of numbers
	Permutations int    // default 999
}

// Columns returns the columns that are read.
func (g Grouping) Columns() []string {
	return slices.DeleteFunc([]string{g.By, g.Paired, g.Covariate}, func(name string) bool { return name == "" })
}

// design makes one of columns of text, one cell for each unit. What units are is for sentences.
func (g Grouping) design(column func(name string) []string, unit func(k int) string) (groups.Design, error) {
	d := groups.Design{By: g.By, Paired: g.Paired, CovariateName: g.Covariate}
	if g.By != "" {
		d.Groups = column(g.By)
	}
	if g.Paired != "" {
		d.Subjects = column(g.Paired)
	}
	if g.Covariate == "" {
		return d, nil
	}
	for k, cell := range column(g.Covariate) {
		x, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64)
		if err != nil {
			return d, input.Completef(groupsOp, "covariate", "%s has %q for %s, which is not a number", unit(k), cell, g.Covariate)
		}
		d.Covariate = append(d.Covariate, x)
	}
	return d, nil
}

// Groups are graphs of groups, and how they differ.
type Groups struct {
	Names  []string // of the vertices
	Units  []string // what each is called
	Unit   string   // what a unit is, such as "file"
	Value  string   // what is compared of each pair
	Method string
	Design groups.Design
	Values *groups.Values
	Test   *groups.Comparison
	// Graphs are those of the groups in the order of Test.Levels, and the last that of all.
	Graphs []*graph.Graph
	Exact  bool
	Notes  []string

	partial *groups.Values // partial correlations, whatever is compared
}

const (
	// partialCorrelation and edgeWeight are what can be compared.
	partialCorrelation = "partial correlation"
	edgeWeight         = "weight"
	// groupsOp is who refuses.
	groupsOp = "groups"
	// different is the false discovery rate at which edges are named.
	different = 0.1
	// clearly is the p-value from which on graphs are said to differ.
	clearly = 0.05
)

// ranked returns the pairs, the clearest differences first.
func (g *Groups) ranked() []groups.Edge {
	edges := slices.Clone(g.Test.Edges)
	slices.SortStableFunc(edges, func(a, b groups.Edge) int {
		return cmp.Or(cmp.Compare(a.Q, b.Q), cmp.Compare(math.Abs(b.Statistic), math.Abs(a.Statistic)))
	})
	return edges
}

// found counts the pairs that differ.
func (g *Groups) found() int {
	count := 0
	for _, e := range g.Test.Edges {
		if e.Q <= different {
			count++
		}
	}
	return count
}

// Answer reports whether the graphs differ.
func (g *Groups) Answer() string {
	t := g.Test
	who := "the graphs of " + words.List(t.Levels, "and") + " differ"
	if t.Levels == nil {
		who = "the graphs depend on " + t.Question
	}
	if t.Whole.P > clearly {
		who = "nothing shows that " + who
	}
	answer := fmt.Sprintf("%s (p = %.2g, %d permutations)", who, t.Whole.P, t.Permutations)
	found := g.found()
	if found == 0 {
		if t.Whole.P <= clearly {
			answer += "; no single pair of vertices is clear by itself"
		}
		return answer
	}
	first := g.ranked()[0]
	return answer + fmt.Sprintf("; at a false discovery rate of %g, %d of %s differ, %s – %s most clearly",
		different, found, words.Plural(len(t.Edges), "pair"), g.Names[first.I], g.Names[first.J])
}

// Document describes the comparison.
func (g *Groups) Document(command string) *document.GroupComparison {
	t := g.Test
	d := &document.GroupComparison{
		Version: nervure.Version(), Command: command, Question: t.Question, Answer: g.Answer(), Method: g.Method, Value: g.Value,
		Unit: g.Unit, Units: t.Units, Subjects: t.Subjects, Permutations: t.Permutations, Exact: g.Exact && !t.Adjusted,
		LeastP: t.LeastP, Whole: t.Whole.P, Strength: comparedValue(t.Strength), Pairs: len(t.Edges),
		Groups: []document.ComparedGroup{}, Vertices: []document.ComparedPlace{}, Edges: []document.ComparedEdge{}, Notes: slices.Concat([]string{}, g.Notes),
	}
	files := g.graphNames()
	for k, level := range g.Test.Levels {
		d.Groups = append(d.Groups, document.ComparedGroup{Name: level, Units: t.Counts[k], Edges: g.Graphs[k].EdgeCount(), Graph: files[k]})
	}
	for _, v := range t.Vertices {
		d.Vertices = append(d.Vertices, document.ComparedPlace{Name: g.Names[v.Vertex], P: v.P, Q: v.Q, Strength: comparedValue(v.Strength)})
	}
	for _, e := range g.ranked()[:g.found()] {
		d.Edges = append(d.Edges, document.ComparedEdge{ComparedValue: comparedValue(e.Effects), Source: g.Names[e.I], Target: g.Names[e.J], PAny: e.PAny, Q: e.Q})
	}
	return d
}

func comparedValue(e groups.Effects) document.ComparedValue {
	v := document.ComparedValue{Means: e.Means, Statistic: e.Statistic, P: e.P, Differences: []document.ComparedDifference{}}
	for _, d := range e.Differences {
		v.Differences = append(v.Differences, document.ComparedDifference(d))
	}
	return v
}

// graphNames returns what the graphs are called in a folder.
func (g *Groups) graphNames() []string {
	var names []string
	for _, level := range g.Test.Levels {
		safe := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
				return '_'
			}
			return r
		}, level)
		names = append(names, "group-"+safe)
	}
	names = numbered(append(names, "group"))
	for k := range names {
		names[k] += ".csv"
	}
	return names
}

// Files returns what is written: the graphs, the tables and the document, by name.
func (g *Groups) Files(command string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for k, name := range g.graphNames() {
		content, err := encoded(g.Graphs[k])
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	var b bytes.Buffer
	if err := document.Write(&b, g.Document(command)); err != nil {
		return nil, err
	}
	files["groups.json"] = b.Bytes()
	for name, table := range map[string][][]string{"differences.csv": g.Differences(), "vertices.csv": g.vertices()} {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(table); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	return files, nil
}

// Differences returns the table of all pairs, the clearest differences first.
func (g *Groups) Differences() [][]string {
	table := [][]string{append(append([]string{"source", "target"}, g.valueHeader()...), "p", "p_any", "q")}
	for _, e := range g.ranked() {
		row := append([]string{g.Names[e.I], g.Names[e.J]}, valueCells(e.Effects)...)
		table = append(table, append(row, number(e.P), number(e.PAny), number(e.Q)))
	}
	return table
}

func (g *Groups) vertices() [][]string {
	table := [][]string{append(append([]string{"vertex"}, g.valueHeader()...), "p_strength", "p", "q")}
	for _, v := range g.Test.Vertices {
		row := append([]string{g.Names[v.Vertex]}, valueCells(v.Strength)...)
		table = append(table, append(row, number(v.Strength.P), number(v.P), number(v.Q)))
	}
	return table
}

// valueHeader names the columns of a value: its mean in each group, each difference with its interval and
// size in standard deviations, and the statistic.
func (g *Groups) valueHeader() []string {
	var header []string
	levels := g.Test.Levels
	for _, level := range levels {
		header = append(header, "mean_"+level)
	}
	for k := range g.Test.Strength.Differences {
		suffix := ""
		if len(levels) > 2 {
			suffix = "_" + levels[k+1]
		}
		header = append(header, "difference"+suffix, "low"+suffix, "high"+suffix, "standardised"+suffix)
	}
	return append(header, "statistic")
}

func valueCells(e groups.Effects) []string {
	var cells []string
	for _, m := range e.Means {
		cells = append(cells, number(m))
	}
	for _, d := range e.Differences {
		cells = append(cells, number(d.Size), number(d.Low), number(d.High), number(d.Standardised))
	}
	return append(cells, number(e.Statistic))
}

// Write writes all files and a page to a folder: all of them or none.
func (g *Groups) Write(dir string, spare []string, title, command string) error {
	files, err := g.Files(command)
	if err != nil {
		return err
	}
	if files["index.html"], err = g.Page(title, command); err != nil {
		return err
	}
	if err := refuseOverwriting(dir, slices.Sorted(maps.Keys(files)), spare); err != nil {
		return err
	}
	return writeFolder(dir, "groups.json", nil, files)
}
