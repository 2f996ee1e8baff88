//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nervure/nervure/internal/repository"
)

// timeout sends a signal to a process and to its group: one that comes twice must not
// lose the graph, as a second Ctrl-C later may.
func TestASignalThatComesTwiceKeepsTheGraph(t *testing.T) {
	dir := t.TempDir()
	tool, err := repository.Build(t.Context(), filepath.Join("..", ".."), dir)
	if err != nil {
		t.Fatal(err)
	}
	sample := filepath.Join(dir, "sample")
	if out, err := exec.CommandContext(t.Context(), tool, "generate", "--graph", "er", "--vertices", "60", "--signals", "300", "--noise", "0.3", "--out", sample).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	graph := filepath.Join(dir, "graph.csv")
	learn := exec.CommandContext(t.Context(), tool, "learn", filepath.Join(sample, "signals.csv"), "--method", "sparse", "--progress", "plain", "--out", graph)
	stderr, err := learn.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := learn.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	lines, sent := bufio.NewScanner(stderr), false
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if !sent && strings.Contains(lines.Text(), "round 1") {
			sent = true
			for range 2 {
				_ = learn.Process.Signal(syscall.SIGINT)
			}
		}
	}
	_ = learn.Wait()
	if code := learn.ProcessState.ExitCode(); code != 130 || !strings.Contains(said.String(), "was written to") {
		t.Errorf("exit %d: %s", code, said.String())
	}
	if _, err := os.Stat(graph); err != nil {
		t.Error(err)
	}
}
