package realdata

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/repository"
)

const root = "../../../.."

// tool builds the program.
func tool(t *testing.T) string {
	t.Helper()
	path, err := repository.Build(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// On signals that the model has made, all of it comes out right.
func TestMeasuringIsRightOnKnownSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	m := Measurement{Tool: tool(t), Data: t.TempDir(), Limit: 20 * time.Minute, Log: io.Discard}
	set := Set{Name: "known", Methods: []string{"sparse", "tree"}}
	from := filepath.Join(m.Data, set.Name)
	if out, err := exec.CommandContext(t.Context(), m.Tool, "generate", "--graph", "er", "--vertices", "12", "--out", from).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	if err := os.Rename(filepath.Join(from, "truth.csv"), filepath.Join(from, "truth_edges.csv")); err != nil {
		t.Fatal(err)
	}
	r, err := m.set(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	sparse, tree := r.Of("sparse"), r.Of("tree")
	if sparse.Own != 1 || sparse.Asked != 1 || r.Recommended != "sparse" || r.Sure == nil || *r.Sure != r.Asked || r.SureTrue != r.Asked {
		t.Errorf("a graph that proves itself is not all right: %+v", r)
	}
	n := r.Vertices
	if tree.Edges != n-1 || math.Abs(r.Chance-float64(r.Asked)/float64(n*(n-1)/2)) > 1e-12 {
		t.Errorf("%d vertices: a tree of %d edges, chance %g with %d true ones", n, tree.Edges, r.Chance, r.Asked)
	}
}

// fakeTool is a program that writes what it is asked for and answers with fixed
// files: edges as the list, and a comparison that recommends tree.
func fakeTool(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nervure")
	if err := os.WriteFile(path, []byte("#!/usr/bin/env bash\nset -euo pipefail\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnInterruptedCommandCountsWithWhatItHas(t *testing.T) {
	m := Measurement{Tool: fakeTool(t, "trap 'printf half > out.csv; exit 130' INT\nfor k in {1..600}; do sleep 0.1; done\n"), Limit: 200 * time.Millisecond, Log: io.Discard}
	l := &learning{Measurement: m, dir: t.TempDir()}
	if got, err := l.run(t.Context(), "learn", "out.csv"); err != nil || got != (outcome{made: true, interrupted: true}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAFailedCommandLeavesNoOldFile(t *testing.T) {
	var log strings.Builder
	m := Measurement{Tool: fakeTool(t, "echo it does not work\nexit 1\n"), Limit: time.Minute, Log: &log}
	l := &learning{Measurement: m, set: Set{Name: "x", Flags: []string{"--log"}}, dir: directory(t, map[string]string{"out.csv": "old"})}
	if got, err := l.run(t.Context(), "learn", "out.csv"); err != nil || got != (outcome{}) {
		t.Errorf("%+v, %v", got, err)
	}
	if want := "x: nervure learn signals.csv --log --out out.csv --quiet: it does not work\n"; log.String() != want {
		t.Errorf("logged %q, want %q", log.String(), want)
	}
}

// Records of other sets stay, and all stand in the order of the sets.
func TestMeasuredSetsReplaceTheirRecords(t *testing.T) {
	const answer = `out=; for ((k = 1; k < $#; k++)); do if [[ ${!k} == --out ]]; then j=$((k + 1)); out=${!j}; fi; done
case $1 in
learn) printf 'source,target,weight\na,b,1\n' > "$out"; printf '{"vertices": 3, "signals": 2}' > summary.json ;;
compare) printf '{"methods": [{"method": "sparse"}, {"method": "knn", "error": "no"}, {"method": "tree"}], "recommendation": {"method": "tree"}}' > "$out" ;;
esac
`
	data := t.TempDir()
	for name, text := range map[string]string{"signals.csv": "a,b,c\n1,2,3\n4,5,6\n", "truth_edges.csv": "source,target,weight\na,b,1\nb,c,1\n"} {
		path := filepath.Join(data, "molene", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	results := filepath.Join(directory(t, map[string]string{"r.jsonl": `{"set": "stocks"}` + "\n" + `{"set": "molene"}` + "\n" + `{"set": "danube"}` + "\n"}), "r.jsonl")
	m := Measurement{Tool: fakeTool(t, answer), Data: data, Sets: []string{"molene"}, Limit: time.Minute, Log: io.Discard}
	if err := m.Measure(t.Context(), results); err != nil {
		t.Fatal(err)
	}
	records, err := ReadRecords(results)
	if err != nil || len(records) != 3 || records[0].Set != "danube" || records[1].Set != "molene" || records[2].Set != "stocks" {
		t.Fatalf("%+v, %v", records, err)
	}
	got := records[1]
	for k := range got.Methods {
		got.Methods[k].Seconds = 0
	}
	text, err := json.Marshal(got)
	want := `{"set":"molene","vertices":3,"signals":2,"asked":2,"chance":0.6666666666666666,"prepared":"","chosen":"","verdict":"","recommended":"tree",` +
		`"methods":[{"method":"auto","edges":1,"own":0.6666666666666666,"asked":0.6666666666666666,"seconds":0},{"method":"sparse","edges":1,"own":0.6666666666666666,"asked":0.6666666666666666,"seconds":0},{"method":"tree","edges":1,"own":0.6666666666666666,"asked":0.6666666666666666,"seconds":0}]}`
	if err != nil || string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	m.Sets = []string{"nowhere"}
	if err := m.Measure(t.Context(), results); err == nil {
		t.Error("a set that does not exist is no error")
	}
}
