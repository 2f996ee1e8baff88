package pairs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/method"
)

// A factor is something that runs differ in, with all its values.
type factor struct {
	name   string
	values []string
}

// triplesOf is how many of the factors, the first ones, have all triples of their values.
const triplesOf = 6

// factors are all of them.
var factors = sync.OnceValue(func() []factor {
	list := []factor{
		{"kind", names(kinds)},
		{"rows", names(rows)},
		{"copies", names(copies)},
		{"constants", names(constants)},
		{"gaps", names(gaps)},
		{"margins", names(margins)},
		{"times", names(times)},
		{"drift", names(drifts)},
		{"scale", names(scales)},
		{"names", names(headers)},
		{"flags", nil},
		{"method", nil},
		{"output", []string{"report", "model", "codes", "laplacian"}},
		{"door", doors},
	}
	for k := range list {
		f := &list[k]
		switch f.name {
		case "flags":
			for _, o := range options() {
				f.values = append(f.values, o.name)
			}
		case "method":
			for _, e := range arguments.LearnMethods() {
				f.values = append(f.values, e.Name())
			}
		case "output":
			for _, format := range dataio.Formats(dataio.WritesGraphs) {
				f.values = append(f.values, string(format))
			}
		}
	}
	return list
})

func names(steps []step) (list []string) {
	for _, s := range steps {
		list = append(list, s.name)
	}
	return list
}

// A kase is a run: the value of each factor, the number of vertices and the seed of all else.
type kase struct {
	values   map[string]string
	vertices int
	seed     uint64
}

// String is the case in a line, which parseCase reads.
func (c *kase) String() string {
	words := []string{fmt.Sprintf("vertices=%d", c.vertices), fmt.Sprintf("seed=%d", c.seed)}
	for _, f := range factors() {
		words = append(words, f.name+"="+c.values[f.name])
	}
	return strings.Join(words, " ")
}

func parseCase(line string) (*kase, error) {
	c := &kase{values: map[string]string{}}
	for _, word := range strings.Fields(line) {
		name, value, _ := strings.Cut(word, "=")
		c.values[name] = value
	}
	var err error
	if c.vertices, err = strconv.Atoi(c.values["vertices"]); err != nil {
		return nil, err
	}
	if c.seed, err = strconv.ParseUint(c.values["seed"], 10, 64); err != nil {
		return nil, err
	}
	for _, f := range factors() {
		if !slices.Contains(f.values, c.values[f.name]) {
			return nil, fmt.Errorf("%s has no value %q", f.name, c.values[f.name])
		}
	}
	return c, nil
}

// array draws the cases of a seed: the tuples of some tables, see [tables]. Pairs that no run may be
// asked for come last, in cases of their own, so that they hide no others. Most graphs are small, from 3
// to most vertices.
func array(seed uint64, most int, some func(columns, all int) bool) (cases []*kase, wanted []*tuples) {
	list, possible := factors(), possiblePairs()
	sizes := make([]int, len(list))
	for k, f := range list {
		sizes[k] = len(f.values)
	}
	wanted = tables(sizes, possible, triplesOf, some)
	ruledOut := tables(sizes, func(row []int) bool { return !possible(row) }, 0, some)
	r := rng.Stream(seed, "covering array")
	for _, row := range slices.Concat(covering(sizes, wanted, possible, r), covering(sizes, ruledOut, anything, r)) {
		x := r.Float64()
		c := &kase{map[string]string{}, 3 + int(x*x*x*float64(most-2)), r.Uint64() >> 32}
		for k, f := range list {
			c.values[f.name] = f.values[row[k]]
		}
		cases = append(cases, c)
	}
	return cases, slices.Concat(wanted, ruledOut)
}

// possiblePairs reports whether a run may be asked for what a row has, by pairs of its values. What of
// the run stands in the document can be found out without signals. A pair without a method is possible
// if it is with some method.
var possiblePairs = sync.OnceValue(func() func(row []int) bool {
	list := factors()
	plain := map[string]string{"flags": "none", "output": "csv", "door": "document"}
	ruledOut := map[[4]int]bool{}
	var asked []int
	for i, a := range list {
		if plain[a.name] == "" && a.name != "method" {
			continue
		}
		asked = append(asked, i)
		for _, j := range asked[:len(asked)-1] {
			b := list[j]
			for k, av := range a.values {
				for l, bv := range b.values {
					asks := func(method string) bool {
						c := &kase{values: maps.Clone(plain), vertices: 5}
						c.values["method"] = method
						c.values[a.name], c.values[b.name] = av, bv
						_, err := nervure.OptionsOf(c.document())
						return err == nil
					}
					ruledOut[[4]int{i, k, j, l}] = !slices.ContainsFunc([]string{"sparse", "maretic2017", "knn"}, asks)
				}
			}
		}
	}
	return func(row []int) bool {
		for _, i := range asked {
			for _, j := range asked {
				if i > j && ruledOut[[4]int{i, row[i], j, row[j]}] {
					return false
				}
			}
		}
		return true
	}
})

// An option is something that a run can be asked for and that changes what it learns.
type option struct {
	name string
	ask  func(r *document.Run, c *kase)
}

// groupColumn is the column that groups are told by.
const groupColumn = "group"

// knownFile has a graph of the first vertices.
const knownFile = "known.csv"

// options are what changes learning, each by itself.
var options = sync.OnceValue(func() []option {
	list := []option{
		{"none", func(*document.Run, *kase) {}},
		{"log", func(r *document.Run, _ *kase) { r.Prepare.Log = true }},
		{"log-offset", func(r *document.Run, _ *kase) { r.Prepare.LogOffset = 50 }},
		{"periods", func(r *document.Run, _ *kase) { r.Prepare.Periods = []float64{12} }},
		{"two-periods", func(r *document.Run, _ *kase) { r.Prepare.Periods = []float64{4, 7.5} }},
		{"degree", func(r *document.Run, _ *kase) { r.Kernels.Degree = 4 }},
		{"chebyshev", func(r *document.Run, _ *kase) { r.Kernels.Approximation = "chebyshev" }},
		{"sparsity-1", func(r *document.Run, _ *kase) { r.Method.Sparsity = 1 }},
		{"sparsity-3", func(r *document.Run, _ *kase) { r.Method.Sparsity = 3 }},
		{"rounds", func(r *document.Run, _ *kase) { r.Method.Rounds = 2 }},
		{"edges-1", func(r *document.Run, _ *kase) { r.Cut.Edges = 1 }},
		{"edges-many", func(r *document.Run, c *kase) { r.Cut.Edges = 2 * c.vertices }},
		{"threshold", func(r *document.Run, _ *kase) { r.Cut.Threshold = 0.2 }},
		{"threshold-auto", func(r *document.Run, _ *kase) { r.Cut.Rule = "auto" }},
		{"fdr", func(r *document.Run, _ *kase) { r.Cut.FDR = 0.1 }},
		{"floor", func(r *document.Run, _ *kase) { r.Check.Floor = 0.05 }},
		{"block", func(r *document.Run, _ *kase) { r.Check.Block = 5 }},
		{"keep-edges", func(r *document.Run, _ *kase) { r.Check.KeepEdges = true }},
		{"sample", func(r *document.Run, _ *kase) { r.Sample = 10 }},
		{"all-signals", func(r *document.Run, _ *kase) { r.AllSignals = true }},
		{"another-seed", func(r *document.Run, _ *kase) { r.Seed = 1 << 63 }},
		{"resample", func(r *document.Run, _ *kase) { r.Read.Resample = "3h" }},
		{"windows", func(r *document.Run, c *kase) {
			r.Windows = document.RunWindows{Window: "20", Step: "10", Dir: "windows"}
		}},
		{"by", func(r *document.Run, _ *kase) {
			r.Groups = document.RunGroups{By: groupColumn, Permutations: document.LeastPermutations}
		}},
		{"allow", func(r *document.Run, _ *kase) { r.Known.Allow = knownFile }},
		{"forbid", func(r *document.Run, _ *kase) { r.Known.Forbid = knownFile }},
		{"init", func(r *document.Run, _ *kase) { r.Known.Init = knownFile }},
		{"prior", func(r *document.Run, _ *kase) { r.Known.Prior, r.Known.PriorWeight = knownFile, 20 }},
		{"params-small", params(0.5)},
		{"params-one", params(1)},
		{"params-two", params(2)},
	}
	for _, s := range []struct {
		name   string
		of     func(r *document.Run) *string
		values []string
	}{
		{"bad-sensors", func(r *document.Run) *string { return &r.Prepare.BadSensors }, []string{"report", "drop"}},
		{"rows", func(r *document.Run) *string { return &r.Prepare.Rows }, []string{"time", "independent"}},
		{"season", func(r *document.Run) *string { return &r.Prepare.Season }, []string{"no"}},
		{"detrend", func(r *document.Run) *string { return &r.Prepare.Detrend }, []string{"yes", "no"}},
		{"difference", func(r *document.Run) *string { return &r.Prepare.Difference }, []string{"yes", "no"}},
		{"center", func(r *document.Run) *string { return &r.Prepare.Center }, []string{"yes", "no"}},
		{"scale", func(r *document.Run) *string { return &r.Prepare.Scale }, []string{"yes", "no"}},
		{"common-mode", func(r *document.Run) *string { return &r.Prepare.CommonMode }, []string{"remove", "keep"}},
		{"scores", func(r *document.Run) *string { return &r.Prepare.Scores }, []string{"yes", "no"}},
		{"confidence", func(r *document.Run) *string { return &r.Check.Confidence }, []string{"yes", "no"}},
		{"coder", func(r *document.Run) *string { return &r.Method.Coder }, coders()},
	} {
		for _, value := range s.values {
			list = append(list, option{s.name + "-" + value, func(r *document.Run, _ *kase) { *s.of(r) = value }})
		}
	}
	for _, kernels := range []string{
		"heat:2", "heat:1,highpass:1", "matern:2", "matern:1,0.5", "wavelet:1", "poly:1,-0.5", "auto,heat:1.5",
		"free", "free:2",
	} {
		list = append(list, option{"kernels-" + kernels, func(r *document.Run, _ *kase) {
			r.Kernels.Given = strings.Split(kernels, ",")
			if strings.Contains(kernels, "0.5") { // the comma is in the specification
				r.Kernels.Given = []string{kernels}
			}
		}})
	}
	return list
})

func coders() (list []string) {
	for _, m := range sparse.Methods() {
		list = append(list, string(m))
	}
	return list
}

// params give one parameter of the method a value.
func params(value float64) func(r *document.Run, c *kase) {
	return func(r *document.Run, c *kase) {
		list := arguments.LearnMethods()
		entry := list[slices.IndexFunc(list, func(e method.Entry) bool { return e.Name() == c.values["method"] })]
		if all := entry.Params(); len(all) > 0 {
			r.Method.Params = document.Params{all[c.seed%uint64(len(all))].Name: value}
		}
	}
}

// doors are the ways to the tool.
var doors = []string{"command", "document", "python", "page"}

// The files of a run.
const signalsFile, summaryFile = "signals.csv", "summary.json"

// document is the run of a case.
func (c *kase) document() *document.Run {
	r := &document.Run{Version: document.RunVersion}
	r.Read.Files, r.Method.Name = []string{signalsFile}, c.values["method"]
	r.Write.Graph, r.Write.Summary = "graph.json", summaryFile
	for _, o := range options() {
		if o.name == c.values["flags"] {
			o.ask(r, c)
		}
	}
	output := c.values["output"]
	if door := c.values["door"]; (door == "page" || door == "python") && output != "report" {
		output = "json" // they have nothing else; Python saves the graph as it was asked for
	}
	switch output {
	case "report":
		r.Write.Report = "report.html"
	case "model":
		r.Write.Model = "model.json"
	case "codes":
		r.Write.Codes = "codes.csv"
	case "laplacian":
		r.Write.Laplacian = "laplacian.csv"
	default:
		r.Write.Graph = "graph." + output
	}
	if r.Groups.By != "" {
		r.Write.Graph, r.Write.Summary = "groups", ""
	}
	if r.Windows.Dir != "" {
		r.Write.Graph, r.Write.Summary = "", ""
	}
	return r
}
