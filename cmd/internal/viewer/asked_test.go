package viewer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/document"
)

// askedFor reads a run on a file, with more keys.
func askedFor(t testing.TB, file, more string) *document.Run {
	t.Helper()
	r, err := document.ParseRun(strings.NewReader(fmt.Sprintf(`{"version": 1, "read": {"files": [%q]}%s}`, file, more)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunsOfThePagePass(t *testing.T) {
	for _, more := range []string{
		"",
		`, "write": {"graph": "graph.json", "summary": "summary.json", "report": "report.html"}`,
		`, "kernels": {"given": ["heat:2", "poly:1,-2.5e-3"]}, "cut": {"edges": 12}, "seed": 7`,
		`, "method": {"name": "smooth-log", "params": {"degree": 4}}, "known": {"prior": "b.csv", "forbid": "sample:leaf"}`,
		`, "prepare": {"difference": "yes", "detrend": "no", "periods": [24, 168], "bad_sensors": "drop"}`,
		`, "compare": {"methods": ["sparse", "knn"], "folds": 3, "truth": "b.csv"}, "write": {"comparison": "comparison.json"}`,
	} {
		for _, file := range []string{"a.csv", "sample:leaf"} {
			if err := checkRun(askedFor(t, file, more), []string{"a.csv", "b.csv"}); err != nil {
				t.Errorf("%s: %v", more, err)
			}
		}
	}
}

func TestNamesOfUploads(t *testing.T) {
	for _, name := range []string{"a.csv", "signals.csv.gz", "Débit 2019.npz", "信号.mat", "a_b-c.tsv", "ab", "data (1).csv", "a+b, c=d [x].npy", "it's.csv", "हिन्दी.csv"} {
		if err := checkUploadName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"", "a", ".", "..", ".hidden", "-rf", "a/b", `a\b`, "../a.csv", "a..b", "a\x00b", "a\nb", "graph.json", "report.html", "Graph.JSON",
		"CON:", "sample:leaf", "a\"b", "$(ls).csv", "a|b", "a*", "a?", "<a>", "a`b`", "'a", " a", "a b ", "x.", strings.Repeat("x", 300), "\u202egpj.csv", "a\xffb",
	} {
		if checkUploadName(name) == nil {
			t.Errorf("%q is let through", name)
		}
	}
}

// Whatever a run that passes is made of, it reads no file but those of the job and writes
// none but results.
func FuzzCheckRun(f *testing.F) {
	for _, more := range []string{
		``,
		`, "write": {"graph": "graph.json", "summary": "summary.json", "report": "report.html"}`,
		`, "write": {"graph": "../graph.json", "codes": "codes.npy"}`,
		`, "write": {"laplacian": "/tmp/l.npy", "model": "model.json"}`,
		`, "known": {"init": "a.csv", "prior": "sample:leaf", "prior_weight": 3}`,
		`, "known": {"allow": "b.csv", "forbid": "/etc/passwd"}`,
		`, "compare": {"truth": "sample:leaf"}, "write": {"comparison": "comparison.json"}`,
		`, "compare": {"methods": ["knn", "ggl"], "folds": 3, "unranked": false}`,
		`, "windows": {"window": 3, "step": "1d", "dir": "d"}`,
		`, "prepare": {"difference": true, "periods": [24], "bad_sensors": "drop"}`,
		`, "method": {"name": "glasso", "params": {"rho": 0.1}}, "cut": {"edges": 5}, "seed": 7`,
		`, "method": {"sparsity": 2}, "kernels": {"given": ["heat:2", "auto"], "degree": 9}`,
		`, "check": {"confidence": "no", "block": 4}, "sample": 90, "time_limit": "30s"`,
	} {
		f.Add(`{"version": 1, "read": {"files": ["a.csv"]}` + more + `}`)
	}
	f.Add(`{"version": 1, "read": {"files": ["sample:leaf"], "names": "a.csv", "times": "../t.txt", "vertices": "a.csv"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := document.ParseRun(strings.NewReader(text))
		if err != nil || checkRun(r, []string{"a.csv"}) != nil {
			return
		}
		for _, name := range slices.Concat(r.Read.Files, r.Besides(), []string{r.Read.Vertices}) {
			if name != "" && name != "a.csv" && !sampleName.MatchString(name) {
				t.Errorf("%q is let through in %s", name, text)
			}
		}
		for _, name := range []string{r.Write.Graph, r.Write.Codes, r.Write.Laplacian, r.Write.Summary, r.Write.Report, r.Write.Model, r.Write.Comparison, r.Windows.Dir} {
			if name != "" && !slices.Contains(outputNames(), name) {
				t.Errorf("%q is let through in %s", name, text)
			}
		}
	})
}
