package document

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/checks"
)

// Every key of every document says what stands there, and none is a promise twice.
func TestEveryKeyIsDescribed(t *testing.T) {
	for name, keys := range map[string][]checks.Key{
		"summary": checks.Keys[Summary, Run](), "comparison": checks.Keys[Comparison, Run](), "evaluation": checks.Keys[Evaluation, Run](), "plan": checks.Keys[Plan, Run](), "kernels": checks.Keys[Kernels, Run](),
		"event": checks.Keys[Event, Run](),
	} {
		seen := map[string]bool{}
		for _, k := range keys {
			if k.Meaning == "" || strings.HasSuffix(k.Path, ".") {
				t.Errorf("%s: the key %q is not described", name, k.Path)
			}
			if seen[k.Path] {
				t.Errorf("%s: the key %s stands twice", name, k.Path)
			}
			seen[k.Path] = true
		}
		if len(keys) < 10 {
			t.Errorf("%s: only %d keys", name, len(keys))
		}
	}
}

// What is written is read back, value by value.
func TestSummariesAreReadBack(t *testing.T) {
	residual := 0.25
	s := &Summary{
		Version: "1", Method: "sparse", Verdict: "supported", VerdictReasons: []string{"<because>"}, Findings: []string{"noise: about 3%"}, Vertices: 3,
		Kernels: []Kernel{{"heat:2", 1, 0.5, []float64{1, -2}}}, Residual: &residual, Warnings: []string{},
		Weights: []float64{3, 2.5, 1e-300}, Trace: []TraceStep{{Start: 1, Round: 2, Phase: "coding", Residual: &residual}},
		Preparation: Preparation{Reasons: []string{"none"}},
	}
	var b bytes.Buffer
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "[3,2.5,1e-300]") || !strings.Contains(b.String(), "<because>") {
		t.Errorf("lists of numbers are to be one line, and text as it is:\n%s", &b)
	}
	back, err := ReadSummary(&b)
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("got %+v (%v), want %+v", back, err, s)
	}
}

func TestWhatIsNoSummaryIsToldApart(t *testing.T) {
	for name, text := range map[string]string{
		"an edge list": "source,target,weight\na,b,1\n", "a graph": `{"nodes": [], "method": "x"}`, "another object": `{"version": "1"}`, "nothing": "", "half of one": `{"meth`,
	} {
		if s, err := ReadSummary(strings.NewReader(text)); s != nil || err != nil {
			t.Errorf("%s: got %v, %v", name, s, err)
		}
	}
	if s, err := ReadSummary(strings.NewReader(`{"method": "sparse", "vertices": "three"}`)); s != nil || err == nil {
		t.Errorf("a summary with a wrong type: got %v, %v", s, err)
	}
}

// JSON has no NaN: it becomes null.
func TestFiniteLeavesOutWhatJSONHasNot(t *testing.T) {
	text, err := json.Marshal([]*float64{Finite(1.5), Finite(math.NaN()), Finite(math.Inf(-1))})
	if err != nil || string(text) != "[1.5,null,null]" {
		t.Errorf("got %s, %v", text, err)
	}
}
