package study

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	Faults []error // of the program, each of a part that is missing

	partial *groups.Values // partial correlations, whatever is compared
	left    []string       // what is said of units left out; part of the notes
	taken   []string       // names of files that graphs must not take
	alike   [][]float64    // how alike the graphs of units are, from 0 to 1; nil if they have none
	pooled  []*graph.Graph // of units, with what they borrow from others of their group; nil if there are none
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
	return answer + fmt.Sprintf("; at a false discovery rate of %g, %d of %s differ, %s most clearly",
		different, found, words.Plural(len(t.Edges), "pair"), g.pair(first))
}

// pair names an edge.
func (g *Groups) pair(e groups.Edge) string {
	joint := " – "
	if g.Values.Directed() {
		joint = " → "
	}
	return g.Names[e.I] + joint + g.Names[e.J]
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
		d.Groups = append(d.Groups, document.ComparedGroup{Name: level, Units: t.Counts[k], Edges: g.Graphs[k].EdgeCount(), Graph: files[k] + ".csv"})
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

// graphNames returns what the graphs are called in a folder, without extensions.
func (g *Groups) graphNames() []string {
	names := slices.Clone(g.taken)
	for _, level := range g.Test.Levels {
		safe := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
				return '_'
			}
			return r
		}, level)
		names = append(names, "group-"+shortened(safe))
	}
	return numbered(append(names, "group"))[len(g.taken):]
}

// longestName is how many bytes of a group's name at most become part of a file's: file systems end at 255.
const longestName = 80

// shortened returns the beginning of a name that is too long.
func shortened(name string) string {
	if len(name) <= longestName {
		return name
	}
	end := longestName
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

// addTo adds the graphs, the tables, the figures and the document to what is written.
func (g *Groups) addTo(out *folder, command string) {
	for k, name := range g.graphNames() {
		out.graph(name, g.Graphs[k])
	}
	for u, of := range g.pooled {
		if of != nil {
			out.graph(g.Units[u]+pooledEnd, of)
		}
	}
	out.document("groups.json", g.Document(command))
	out.table("differences.csv", g.Differences())
	out.table("vertices.csv", g.vertices())
	if len(g.Units) > 0 {
		out.table("units.csv", g.unitTable())
		out.table("values.csv", g.valueTable())
	}
	drawings, err := g.drawings()
	out.err = errors.Join(out.err, err)
	for _, d := range drawings {
		out.add(d.name, d.write)
	}
}

// Write writes all files and a page to a folder: all of them or none.
func (g *Groups) Write(dir string, spare []string, title, command string) error {
	out := newFolder()
	g.addTo(out, command)
	out.add("index.html", g.page(title, command))
	if out.err != nil {
		return out.err
	}
	if err := refuseOverwriting(dir, out.names(), spare); err != nil {
		return err
	}
	return out.write(dir, "groups.json", nil)
}
