package commands

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/checks"
)

var anySeconds = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)

// Every command that leaves work to others ends with the bytes that it has by itself,
// apart from seconds and threads.
func TestCommandsOnAClusterHaveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs several processes")
	}
	tool, dir := buildTool(t), t.TempDir()
	do := func(args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), tool, args...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, stderr.Bytes())
		}
		return out
	}
	do("generate", "--graph", "er", "--vertices", "8", "--signals", "40", "--noise", "0.1", "--out", ".")
	do("generate", "--graph", "er", "--vertices", "8", "--signals", "40", "--seed", "2", "--out", "two")
	for _, c := range []struct {
		name string
		args []string
		read []string // the files that are compared, besides standard output
	}{
		{"learn", []string{"learn", "signals.csv", "--method", "sparse", "--rounds", "4", "--allow", "two/truth.csv", "--out", "graph.csv", "--summary", "summary.json", "--threads", "1"}, []string{"graph.csv", "summary.json"}},
		{"compare", []string{"compare", "signals.csv", "--truth", "truth.csv", "--methods", "ggl,tree", "--json"}, nil},
		{"batch", []string{"batch", "signals.csv", "two/signals.csv", "--out", "graphs", "--report"}, []string{"graphs/signals.csv", "graphs/two_signals.csv", "graphs/signals.html", "graphs/index.json", "graphs/edges.csv"}},
		{"reproduce", []string{"reproduce", "kernels", "--out", "evidence"}, nil}, // whose results come in any order
	} {
		t.Run(c.name, func(t *testing.T) {
			result := func(args ...string) []byte {
				all := do(args...)
				for _, name := range c.read {
					text, err := os.ReadFile(filepath.Join(dir, name))
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, text...)
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
				return anySeconds.ReplaceAll(all, nil)
			}
			want := result(c.args...)
			for _, old := range []string{"graphs", "evidence"} {
				if err := os.RemoveAll(filepath.Join(dir, old)); err != nil {
					t.Fatal(err)
				}
			}
			address := checks.FreeAddress(t).String()
			worker := exec.CommandContext(t.Context(), tool, "worker", "--cluster", "nats://"+address, "--threads", "2", "--idle", "30s")
			if err := worker.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = worker.Process.Kill()
				_ = worker.Wait()
			}()
			if got := result(append(c.args, "--cluster", "listen:"+address)...); !bytes.Equal(got, want) {
				t.Errorf("got\n%.2000s\nwant\n%.2000s", got, want)
			}
		})
	}
}

func TestAClusterNeedsAFile(t *testing.T) {
	for _, args := range [][]string{
		{"learn", "-", "--cluster", "listen:127.0.0.1:0"},
		{"compare", "sample:leaf", "--cluster", "listen:127.0.0.1:0"},
	} {
		if code, _, stderr := run(t.Context(), strings.NewReader("a,b,c\n1,2,3\n2,1,4\n3,3,5\n2,2,1\n"), args...); code != views.ExitMisuse || !strings.Contains(stderr, "--cluster needs a file of signals") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
	if code, _, stderr := run(t.Context(), nil, "learn", "sample:leaf", "--cluster", "listen:127.0.0.1:0", "--checkpoint", "dir"); code != views.ExitMisuse {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
