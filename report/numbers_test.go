package report

import (
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/learn"
)

// The curves end where the numbers at the top of the page begin.
func TestRoundsEndWithTheResult(t *testing.T) {
	for name, run := range map[string]content{"sparse": someRun(t), "the paper's algorithm": paperRun(t, truth(t, 12, 0.1))} {
		result := run.Sparse
		list := rounds(result)
		if last := list[len(list)-1]; last.Phase != learn.Done || float64(last.Residual) != result.Residual ||
			last.Edges != result.Graph.EdgeCount() {
			t.Errorf("%s: the last point is %+v, the result has residual %g and %d edges", name, last, result.Residual, result.Graph.EdgeCount())
		}
	}
}

func TestMedianOfAnEvenNumberIsBetweenTheMiddleTwo(t *testing.T) {
	if _, median := oddOnes([]float64{8, 1, math.NaN(), 3, 2}, func(float64) float64 { return 0 }); median != 2.5 {
		t.Errorf("median %g, want 2.5", median)
	}
}

// What stands out is shown wherever it is, even if not everything is shown.
func TestLargestLeftoversAreOfAllValues(t *testing.T) {
	values := make([]float64, mostValues+500)
	for i := range values {
		values[i] = 1
	}
	values[mostValues+7], values[3] = 50, math.NaN()
	got := newLeftovers(values, func(int) string { return "" })
	if got.Count != len(values) || len(got.Values) != mostValues {
		t.Errorf("%d of %d values are shown", len(got.Values), got.Count)
	}
	if len(got.Largest) != mostLargest || got.Largest[0] != (extreme{mostValues + 7, 50}) {
		t.Errorf("the largest are %v", got.Largest)
	}
}

// A colour that a browser cannot read takes the whole page with it, and a selector
// that it cannot read the whole rule.
func TestStylesNeedNoNewBrowser(t *testing.T) {
	for _, name := range styles {
		text, err := fs.ReadFile(Assets(), name)
		if err != nil {
			t.Fatal(err)
		}
		rules := string(text)
		if _, after, found := strings.Cut(rules, "*/"); found {
			rules = after // the comment at the top
		}
		for _, word := range []string{"light-dark(", "color-mix(", "oklch(", "@layer", "@container"} {
			if strings.Contains(rules, word) {
				t.Errorf("%s needs %s", name, word)
			}
		}
		for line := range strings.Lines(rules) {
			if selector, _, _ := strings.Cut(line, "{"); strings.Contains(selector, ":has(") && strings.Contains(selector, ",") {
				t.Errorf("%s: the other selectors are lost without :has(): %s", name, line)
			}
		}
	}
}

// A penalty near the largest number makes an objective that is no number, of which there is
// nothing to tell.
func TestAnObjectiveThatIsNoNumberIsLeftOut(t *testing.T) {
	sparse := *someRun(t).Sparse
	for v, want := range map[float64]bool{1.5: true, math.NaN(): false, math.Inf(1): false} {
		sparse.Objective = v
		var all table
		all.addSparse(&sparse)
		if got := slices.ContainsFunc(all, func(n number) bool { return n.Label == "Objective" }); got != want {
			t.Errorf("an objective of %g is told: %t", v, got)
		}
	}
}
