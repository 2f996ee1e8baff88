package arguments

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/document"
)

// asked returns the document of a learn command.
func asked(t *testing.T, typed ...string) *document.Run {
	t.Helper()
	cmd, f := &cobra.Command{Use: "learn"}, &Learn{}
	f.Define(cmd)
	if err := cmd.ParseFlags(typed); err != nil {
		t.Fatal(err)
	}
	doc, err := f.Document(cmd.Flags().Args()...)
	if err != nil {
		t.Fatal(err)
	}
	return &doc
}

// A shell takes the command back apart into what was typed.
func TestCommandLineIsWhatWasTyped(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("left out: there is no sh here")
	}
	for _, typed := range [][]string{
		{"signals.csv"},
		{"my signals.csv", "--out", "it's a $graph.csv"},
		{"s.csv", "--kernel", "heat:2", "--kernel", "poly:1,2", "--seed", "7", "--transpose"},
		{"--seed", "7", "--", "-odd name.csv"},
		{"-", "--out", "x y.csv", "--threshold", "0.5", "--transpose"},
	} {
		line := CommandLine(*asked(t, typed...))
		out, err := exec.Command(shell, "-c", `printf '%s\n' `+strings.TrimPrefix(line, "nervure learn ")).Output()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if want := slices.Clone(typed); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("typed %q, to be typed again %q", want, got)
		}
	}
}

func TestQuotedSurvivesAShell(t *testing.T) {
	for path, want := range map[string]string{"a/b.csv": "a/b.csv", "my file": "'my file'", "it's": `'it'\''s'`, "": "''"} {
		if got := Quoted(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}
