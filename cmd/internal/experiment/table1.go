package experiment

import (
	"context"
	"fmt"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// A table1Learner is a column of table 1.
type table1Learner struct {
	name   string
	method func(learn.Model) method.Method
}

// asPrinted is a β at which the paper's algorithm scores as the paper prints,
// found on graphs that are not measured on: the paper gives no value, and with
// the tuned one the algorithm does better on large graphs.
const asPrinted = 0.14

var table1Learners = []table1Learner{
	{fmt.Sprintf("%s, β = %g", paperRecipe, asPrinted), func(m learn.Model) method.Method {
		return learn.Maretic2017{Model: m, EdgePenalty: asPrinted}
	}},
	{string(paperRecipe), paperRecipe.method},
	{string(ourRecipe), ourRecipe.method},
}

// table1 is the paper's table 1: edges and codes recovered at three sizes.
func table1(instances int) (*Experiment, error) {
	options, err := recipeOptions()
	if err != nil {
		return nil, err
	}
	sizes := []int{20, 50, 100}
	var cells []Cell
	settings := map[string]any{}
	for _, n := range sizes {
		s := paperSetting(n, 200, 4)
		if settings[fmt.Sprintf("vertices=%d", n)], err = s.describe(); err != nil {
			return nil, err
		}
		for _, l := range table1Learners {
			cells = append(cells, Cell{
				Labels: []Label{Amount("vertices", n), Text("recipe", l.name)},
				Measure: func(ctx context.Context, seed uint64, _ []Record) (Values, error) {
					return s.measureWith(ctx, l.method(s.model), seed)
				},
			})
		}
	}
	return &Experiment{
		Name:      "table1",
		Title:     "Table 1: edges and sparse codes recovered, by graph size",
		Claim:     "edges are recovered with precision and recall of .98 and more up to 100 vertices, codes better on larger graphs",
		Source:    "maretic2017, table 1",
		Instances: instances,
		Options:   map[string]any{"recipes": options, "settings": settings},
		Stages:    []Stage{{Measuring, Seeds{firstMeasuringSeed, instances}, cells}},
		Tables:    func(records []Record) []Table { return table1Tables(records, sizes) },
	}, nil
}

// printedTable1 is what [maretic2017] prints in table 1, by size.
var printedTable1 = map[string]map[int]string{
	"edges_precision_at_count": {20: "0.9985", 50: "0.9948", 100: "0.9818"},
	"edges_recall_at_count":    {20: "0.9983", 50: "0.9946", 100: "0.9810"},
	"codes_precision":          {20: "0.7708", 50: "0.9317", 100: "0.9244"},
	"codes_recall":             {20: "0.8001", 50: "0.9464", 100: "0.9316"},
}

func table1Tables(records []Record, sizes []int) []Table {
	tables := []Table{
		table1Table(records, sizes, "Table 1: edges and codes recovered, Erdős–Rényi, 200 signals of 4 atoms", table1Learners[1:]),
		table1Table(records, sizes, "Table 1: the paper's algorithm with a different penalty β", table1Learners[:1]),
	}
	tables[0].Notes = append(tables[0].Notes, "Unless stated otherwise, edges are cut at the true edge count, as in the paper.")
	return tables
}

func table1Table(records []Record, sizes []int, title string, learners []table1Learner) Table {
	rows := []struct {
		value, words string
		digits       int
	}{
		{"edges_precision_at_count", "edges precision", 4},
		{"edges_recall_at_count", "edges recall", 4},
		{"edges_f1", "edges F1, automatic cut", 4},
		{"codes_precision", "codes precision", 4},
		{"codes_recall", "codes recall", 4},
		{"certified", "share certified", 2},
	}
	t := Table{Title: title, Header: []string{"N", "mean", "paper"}}
	for _, l := range learners {
		t.Header = append(t.Header, l.name)
	}
	var graphs counter
	for _, n := range sizes {
		for _, row := range rows {
			printed, ok := printedTable1[row.value][n]
			if !ok {
				printed = none
			}
			cells := []string{fmt.Sprint(n), row.words, printed}
			for _, l := range learners {
				s := Summarize(where(records, Measuring, Amount("vertices", n), Text("recipe", l.name)), row.value)
				graphs.see(s.Count)
				cells = append(cells, s.text(row.digits))
			}
			t.Rows = append(t.Rows, cells)
		}
	}
	t.Notes = []string{graphs.note()}
	return t
}
