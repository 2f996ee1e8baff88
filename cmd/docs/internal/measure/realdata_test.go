package measure

import (
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
	u := &user{tool: tool(t), limit: 20 * time.Minute, log: io.Discard, set: Set{Methods: []string{"sparse", "tree"}}, dir: t.TempDir()}
	from := filepath.Join(t.TempDir(), "known")
	if out, err := exec.CommandContext(t.Context(), u.tool, "generate", "--graph", "er", "--vertices", "12", "--out",
		from).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	if err := os.Rename(filepath.Join(from, "truth.csv"), filepath.Join(from, "truth_edges.csv")); err != nil {
		t.Fatal(err)
	}
	var err error
	if _, u.known, err = u.set.read(from, u.dir); err != nil {
		t.Fatal(err)
	}
	v, err := u.measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v["sparse.own"] != 1.0 || v["sparse.asked"] != 1.0 || v["recommended"] != "sparse" || v["sure"] != v["asked"] ||
		v["sure_true"] != v["asked"] {
		t.Errorf("a graph that proves itself is not all right: %v", v)
	}
	n, edges := v["vertices"].(float64), v["asked"].(float64)
	if v["tree.found"] != n-1 || math.Abs(v["chance"].(float64)-edges/(n*(n-1)/2)) > 1e-12 || v["methods"] != "auto, sparse, tree" {
		t.Errorf("%g vertices: %v", n, v)
	}
}

// fakeTool is a script in the place of the program.
func fakeTool(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nervure")
	if err := os.WriteFile(path, []byte("#!/usr/bin/env bash\nset -euo pipefail\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnInterruptedCommandCountsWithWhatItHas(t *testing.T) {
	u := &user{
		tool:  fakeTool(t, "trap 'printf half > out.csv; exit 130' INT\nfor k in {1..600}; do sleep 0.1; done\n"),
		limit: 200 * time.Millisecond, log: io.Discard, dir: t.TempDir(),
	}
	if got, err := u.run(t.Context(), "learn", "out.csv"); err != nil || got != (ending{made: true, interrupted: true}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAFailedCommandLeavesNoOldFile(t *testing.T) {
	var log strings.Builder
	u := &user{
		tool: fakeTool(t, "echo it does not work\nexit 1\n"), limit: time.Minute, log: &log,
		dir: directory(t, map[string]string{"out.csv": "old"}),
	}
	if got, err := u.run(t.Context(), "learn", "out.csv"); err != nil || got != (ending{}) ||
		!strings.Contains(log.String(), "it does not work") {
		t.Errorf("%+v, %v: %s", got, err, &log)
	}
}
