package nervure

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// throughJSON writes a document and reads it.
func throughJSON(t *testing.T, r *document.Run) *document.Run {
	t.Helper()
	var b bytes.Buffer
	if err := document.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	again := must.Get(document.ParseRun(&b))
	if !reflect.DeepEqual(again, r) {
		t.Fatalf("wrote %+v, read %+v", r, again)
	}
	return again
}

func chebyshev(t *testing.T, spec string, degree int) kernel.Kernel {
	t.Helper()
	return must.Get(kernel.Parse(spec, degree, kernel.Chebyshev))
}

func TestOptionsSurviveTheirDocument(t *testing.T) {
	prepared := prepare.Options{Log: true, LogOffset: 0.5, Season: Yes, Periods: []float64{24, 168}, Detrend: No, Difference: Yes, Center: No, Scale: Auto, CommonMode: No}
	for name, o := range map[string]Options{
		"nothing":       {},
		"preprocessing": {Prepare: prepared, BadSensors: prepare.DropSensors},
		"checks":        {Structure: No, Confidence: Yes, Block: 3, Seed: 1 << 63, TimeLimit: 90 * time.Second, Sample: 500},
		"keep edges":    {KeepEdges: true},
		"all signals":   {AllSignals: true, Cut: graph.Cut{Rule: graph.CutThreshold}},
		"a method":      {Method: baseline.Glasso{Penalty: 0.1}, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 60}},
		"the choice":    {Method: AutoMethod{}},
		"sparse":        {Method: learn.Sparse{Model: learn.Model{Sparsity: 3}, Options: learn.Options{Coder: "omp", Rounds: 7}}},
		"scales":        {Method: learn.Sparse{Model: learn.Model{Kernels: kernel.Paper()}, Options: learn.Options{Kernels: learn.KernelsScaled}}},
		"free kernels":  {Method: learn.Sparse{Options: learn.Options{Kernels: learn.KernelsFree, KernelCount: 2, KernelDegree: 5}}},
		"kernels":       {Method: learn.Sparse{Model: learn.Model{Kernels: []kernel.Kernel{chebyshev(t, "heat:0.1234567890123", 9)}}, Options: learn.Options{Kernels: learn.KernelsGiven}}},
		"the paper":     {Method: learn.Maretic2017{StepSize: 0.25, NoPenalty: true, Rounds: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			r := must.Get(o.Run())
			r.Read.Files = []string{"signals.csv"}
			again := must.Get(OptionsOf(throughJSON(t, r)))
			if !reflect.DeepEqual(again, o) {
				t.Errorf("asked for %+v, got %+v", o, again)
			}
		})
	}
}

// Kernels for all methods are those of the sparse method: that is what they mean.
func TestKernelsOfOptionsAreThoseOfSparse(t *testing.T) {
	kernels := []kernel.Kernel{chebyshev(t, "heat:2", 15)}
	r := must.Get(Options{Kernels: kernels}.Run())
	r.Read.Files = []string{"-"}
	again := must.Get(OptionsOf(r))
	if m, ok := again.Method.(learn.Sparse); !ok || !reflect.DeepEqual(m.Model.Kernels, kernels) {
		t.Errorf("got %+v", again)
	}
}

func TestGraphsInMemoryAreNamedByTheirContent(t *testing.T) {
	addresses := map[string]bool{}
	for _, weight := range []float64{1, 2} {
		g := must.Get(graph.New([]string{"a", "b", "c"}, []graph.Edge{{I: 0, J: 1, Weight: weight}}))
		for range 2 {
			r := must.Get(Options{Known: method.Known{Prior: g, PriorWeight: 3}}.Run())
			if !strings.HasPrefix(r.Known.Prior, "sha256:") || r.Known.PriorWeight != 3 {
				t.Errorf("got %+v", r.Known)
			}
			addresses[r.Known.Prior] = true
		}
	}
	if len(addresses) != 2 {
		t.Errorf("two graphs have %d names", len(addresses))
	}
}

func TestOptionsWithoutDocumentAreRefused(t *testing.T) {
	odd := must.Get(kernel.FromFunction("heat:2", func(float64) float64 { return 1 }, 3))
	for name, o := range map[string]Options{
		"a field that no document has":       {Method: learn.Sparse{Options: learn.Options{Starts: 7}}},
		"a kernel that is not what it says":  {Kernels: []kernel.Kernel{odd}},
		"names of vertices in memory":        {Prepare: prepare.Options{Names: []string{"a"}}},
		"kernels of two degrees":             {Kernels: []kernel.Kernel{chebyshev(t, "heat:2", 5), chebyshev(t, "heat:1", 6)}},
		"a choice that there is not":         {Confidence: "perhaps"},
		"a period that is less than 2 steps": {Prepare: prepare.Options{Season: Yes, Periods: []float64{1}}},
	} {
		if r, err := o.Run(); err == nil {
			t.Errorf("%s: got %+v", name, r)
		}
	}
}

// Each sentence has the keys that it is about.
func TestDocumentsThatMakeNoSense(t *testing.T) {
	for text, want := range map[string]string{
		`{"version": 2, "read": {"files": ["a"]}}`: "`version`: got 2, want 1",
		`{"version": 1}`: "`read.files`: got none",
		`{"version": 1, "read": {"files": ["a"], "format": "xls"}}`:                                     "`read.format` \"xls\": want csv",
		`{"version": 1, "read": {"files": ["a"], "resample": "often"}}`:                                 "`read.resample` \"often\"",
		`{"version": 1, "read": {"files": ["a", "-"]}}`:                                                 "standard input is not a file",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"name": "magic"}}`:                         "`method.name` \"magic\": unknown method; want auto, sparse",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"name": "knn", "sparsity": 3}}`:            "`method.sparsity` applies only to `method.name` sparse",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"name": "knn", "params": {"q": 3}}}`:       "`method.params` \"q=3\": method knn has no parameter \"q\"",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"params": {"rho": 3}}}`:                    "`method.params` \"rho\" needs `method.name` ",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"params": {"bogus": 3}}}`:                  "`method.params` \"bogus\": no method has this parameter",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"coder": "morse"}}`:                        "`method.coder` \"morse\": want ",
		`{"version": 1, "read": {"files": ["a"]}, "method": {"name": "knn"}, "kernels": {"degree": 3}}`: "`kernels.degree` applies only to `method.name` sparse",
		`{"version": 1, "read": {"files": ["a"]}, "kernels": {"given": ["cold:1"]}}`:                    "`kernels.given` \"cold:1\": unknown kernel",
		`{"version": 1, "read": {"files": ["a"]}, "kernels": {"given": ["free", "heat:1"]}}`:            "`kernels.given` free cannot be combined",
		`{"version": 1, "read": {"files": ["a"]}, "kernels": {"given": ["free:0"]}}`:                    "`kernels.given` free:0: want an integer",
		`{"version": 1, "read": {"files": ["a"]}, "cut": {"edges": 2, "threshold": 1}}`:                 "`cut.edges` and `cut.threshold` cannot be used together",
		`{"version": 1, "read": {"files": ["a"]}, "known": {"prior_weight": 2}}`:                        "`known.prior_weight` needs `known.prior` FILE",
		`{"version": 1, "read": {"files": ["a"]}, "time_limit": "soon"}`:                                "`time_limit` \"soon\": want a time",
		`{"version": 1, "read": {"files": ["a"]}, "write": {"json": true}}`:                             "apply only to `compare`",
	} {
		r, err := document.ParseRun(strings.NewReader(text))
		if err == nil {
			_, err = OptionsOf(r)
		}
		if fault := input.Find(err); fault == nil || !strings.Contains(fault.Msg, want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"methods": ["magic"]}`:      "`compare.methods` \"magic\": unknown method",
		`{"methods": ["knn", "knn"]}`: "`compare.methods`: knn is given twice",
		`{"folds": 2, "unranked": 1}`: "`compare.unranked`: got 1, want true or false",
		`{}, "check": {"block": 3}`:   "`check.block` does not apply to a comparison",
	} {
		r, err := document.ParseRun(strings.NewReader(`{"version": 1, "read": {"files": ["a"]}, "compare": ` + text + `}`))
		if err == nil {
			_, err = CompareOptionsOf(r)
		}
		if fault := input.Find(err); fault == nil || !strings.Contains(fault.Msg, want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestComparisonOfADocument(t *testing.T) {
	r := must.Get(document.ParseRun(strings.NewReader(`{"version": 1, "read": {"files": ["a"]}, "compare": {"methods": ["sparse", "knn"], "unranked": true}, "time_limit": "none", "method": {"sparsity": 3}, "cut": {"edges": 5}}`)))
	o := must.Get(CompareOptionsOf(r))
	if !o.Unranked || o.Folds != 0 || !o.NoTimeLimit || o.TimeLimit != 0 || o.Cut.Edges != 5 || len(o.Methods) != 2 || o.Methods[0].(learn.Sparse).Model.Sparsity != 3 || o.Methods[1].Name() != "knn" {
		t.Errorf("got %+v", o)
	}
}
