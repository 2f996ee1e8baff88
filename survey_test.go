package nervure

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

var surveys = flag.String("surveys", "", "write the surveys of TestSurveyAnswers to this directory, for r/survey.R")

// A survey is answers from 1 to 5 of 500 people to 25 questions, which are a Gaussian field on a
// known graph behind them.
type survey struct {
	family synth.Family
	seed   uint64
}

func (s survey) draw(t *testing.T) (answers *mat.Dense, truth *graph.Graph) {
	t.Helper()
	drawn, err := synth.Graph(synth.GraphSpec{Family: s.family, Vertices: 25, EdgeFactor: 2, Seed: s.seed})
	if err != nil {
		t.Fatal(err)
	}
	field, err := synth.Field(drawn.Graph, synth.FieldSpec{Order: 1, Count: 500, Seed: s.seed})
	if err != nil {
		t.Fatal(err)
	}
	answers = mat.DenseCopyOf(field.Signals)
	n, m := answers.Dims()
	for i := range n {
		row := answers.RawRowView(i)
		deviation := mat.Norm(answers.RowView(i), 2) / math.Sqrt(float64(m))
		for k, v := range row {
			level := 1.0
			// Questions differ in how many agree.
			for _, cut := range []float64{-1.4, -0.5, 0.3, 1.1} {
				if v/deviation > cut+0.3*float64(i%5-2)/2 {
					level++
				}
			}
			row[k] = level
		}
	}
	return answers, drawn.Graph
}

// Survey answers are learned without anything said, about as well as by polychoric correlations and
// EBICglasso, whose F1 is what r/survey.R says of the same answers (R 4.2.2, qgraph 1.9.3, lavaan
// 0.6-14 for cor_auto):
//
//	go test . -run SurveyAnswers -args -surveys DIR && Rscript r/survey.R DIR
func TestSurveyAnswers(t *testing.T) {
	sum, want := 0.0, 0.0
	for _, c := range []struct {
		survey
		ebicglasso float64
	}{
		{survey{synth.FamilyER, 1}, 0.634},
		{survey{synth.FamilyER, 2}, 0.635},
		{survey{synth.FamilyER, 3}, 0.633},
		{survey{synth.FamilyRBF, 1}, 0.779},
		{survey{synth.FamilyRBF, 2}, 0.819},
		{survey{synth.FamilyRBF, 3}, 0.779},
	} {
		y, truth := c.draw(t)
		if *surveys != "" {
			c.write(t, y, truth)
		}
		a, err := Learn(t.Context(), &Signals{Y: y}, Options{Structure: No, Confidence: No})
		if err != nil {
			t.Fatal(err)
		}
		f1, err := metrics.EdgeF1(a.Graph, truth)
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(a.Findings(), "; ")
		if a.Result.Method.Name() != "field" || !a.Preparation.Report.Scores.Done || !strings.Contains(said, "polychoric") || len(a.Warnings()) > 0 {
			t.Errorf("%s %d: %s, %q", c.family, c.seed, said, a.Warnings())
		}
		t.Logf("%s %d: F1 %.3f with %d edges of %d, EBICglasso %.3f", c.family, c.seed, f1, a.Graph.EdgeCount(), truth.EdgeCount(), c.ebicglasso)
		sum, want = sum+f1/6, want+c.ebicglasso/6
	}
	if sum < want-0.03 {
		t.Errorf("mean F1 %.3f, EBICglasso has %.3f", sum, want)
	}
}

// write writes the answers and the true edges for R.
func (s survey) write(t *testing.T, y *mat.Dense, truth *graph.Graph) {
	t.Helper()
	name := filepath.Join(*surveys, fmt.Sprintf("%s-%d", s.family, s.seed))
	var rows, edges [][]string
	n, m := y.Dims()
	for k := range m {
		var row []string
		for i := range n {
			row = append(row, strconv.Itoa(int(y.At(i, k))))
		}
		rows = append(rows, row)
	}
	for _, e := range truth.Edges() {
		edges = append(edges, []string{strconv.Itoa(e.I + 1), strconv.Itoa(e.J + 1)})
	}
	for suffix, table := range map[string][][]string{"-answers.csv": rows, "-truth.csv": edges} {
		f, err := os.Create(name + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := csv.NewWriter(f).WriteAll(table); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
