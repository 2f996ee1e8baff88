package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/repository"
)

// awkward is what nervure.m and nervure.R have to cope with in names of vertices and
// in paths.
var (
	awkwardNames = []string{`stem, "left"`, "NA", "007", "it's ü"}
	awkwardPlace = "it's a plàce"
)

// otherLanguage makes a directory for a check in another language, with the signals of
// a sample and what the tool makes of them, and returns the environment to check in.
func otherLanguage(t *testing.T) (dir string, env []string) {
	t.Helper()
	place := filepath.Join(t.TempDir(), awkwardPlace)
	dir, bin, scratch := filepath.Join(place, "check"), filepath.Join(place, "bin"), filepath.Join(place, "..", "plain tmp") // R itself stumbles over a quote there
	for _, d := range []string{dir, bin, scratch} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := repository.Build(t.Context(), "../../..", bin); err != nil {
		t.Fatal(err)
	}
	s, err := dataio.ReadSignals("../../../examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	copy(s.Names, awkwardNames)
	for _, name := range []string{"signals.mat", "signals.npy"} {
		if err := dataio.WriteSignals(filepath.Join(dir, name), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "names.txt"), []byte(strings.Join(s.Names, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"expected.mat", "expected.npy"} {
		args := []string{"learn", "signals.mat", "--out", out, "--laplacian", "laplacian.npy", "--codes", "codes.npy", "--quiet"}
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "nervure"), args...)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s%v", said, err)
		}
	}
	return dir, append(os.Environ(), "NERVURE_BINARY="+filepath.Join(bin, "nervure"), "TMPDIR="+scratch, "LC_ALL=C.UTF-8")
}

// check runs a script of testdata/languages with the program for its language.
func check(t *testing.T, script, program string, args ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("the race detector sees nothing of other processes")
	}
	if _, err := exec.LookPath(program); err != nil {
		needs.LeaveOut(t, "there is no "+program)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "languages", script))
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"matlab/nervure.m", "r/nervure.R"} { // so that a change of them is a change of this test
		if _, err := os.ReadFile(filepath.Join(root, file)); err != nil {
			t.Fatal(err)
		}
	}
	dir, env := otherLanguage(t)
	cmd := exec.CommandContext(t.Context(), program, slices.Concat(args, []string{script})...)
	cmd.Dir, cmd.Env = dir, slices.Concat(env, []string{"NERVURE_R=" + filepath.Join(root, "r", "nervure.R"), "OCTAVE_PATH=" + filepath.Join(root, "matlab"), "YES_OR_NO=difference"})
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "all checked\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	scratch := filepath.Join(dir, "..", "..", "plain tmp")
	for _, left := range []string{"*.json", "*/*.json", "*/*/*.json"} { // R may leave directories of its own
		if files, err := filepath.Glob(filepath.Join(scratch, left)); err != nil || len(files) > 0 {
			t.Errorf("%q is left behind, %v", files, err)
		}
	}
}

func TestOctaveAnswersAsTheCommandLine(t *testing.T) {
	check(t, "check.m", "octave-cli", "--norc", "--quiet")
}

func TestRAnswersAsTheCommandLine(t *testing.T) { check(t, "check.R", "Rscript", "--vanilla") }
