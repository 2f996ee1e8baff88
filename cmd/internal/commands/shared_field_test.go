//go:build linux || darwin

package commands

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/rng"
)

var fieldKills = flag.Int("field-kills", 1, "how many workers are killed while they learn a field; -killseed says when")

// chainField writes signals of a chain of vertices, each of which depends on the one before.
func chainField(t *testing.T, path string, vertices, signals int) {
	t.Helper()
	draw := rng.Stream(1, "chain field")
	var b strings.Builder
	for range signals {
		v := draw.NormFloat64()
		for i := range vertices {
			if i > 0 {
				b.WriteByte(',')
				v = 0.7*v + 0.7*draw.NormFloat64()
			}
			fmt.Fprintf(&b, "%.6f", v)
		}
		b.WriteByte('\n')
	}
	put(t, path, b.String())
}

// A field of many vertices that workers learn has the bytes of one that is learned here, however many of them are
// killed meanwhile. More of it:
//
//	go test ./cmd/internal/commands -run FieldOnACluster -field-kills 20 -v
func TestAFieldOnAClusterHasTheSameBytes(t *testing.T) {
	needs.Long(t, "a field of 5000 vertices is learned twice")
	tool, dir := buildTool(t), t.TempDir()
	chainField(t, filepath.Join(dir, "signals.csv"), 5000, 40)
	learn := func(args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), tool, append([]string{"learn", "signals.csv", "--out", "graph.csv", "--confidence", "no", "--quiet"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		text, err := os.ReadFile(filepath.Join(dir, "graph.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	want := learn()
	address := checks.FreeAddress(t).String()
	over := make(chan struct{})
	var workers sync.WaitGroup
	var mu sync.Mutex
	killed := 0
	for k := range 2 {
		draw := rng.Stream(*killSeed, "field kills", k)
		workers.Go(func() {
			for {
				cmd := exec.CommandContext(t.Context(), tool, "worker", "--cluster", "nats://"+address, "--threads", "1", "--idle", "1m")
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				dies := killed < *fieldKills
				if dies {
					killed++
				}
				mu.Unlock()
				after := time.Hour
				if dies {
					after = time.Second + time.Duration(draw.Float64()*float64(2*time.Second))
				}
				select {
				case <-time.After(after):
				case <-over:
				}
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				if !dies {
					return
				}
			}
		})
	}
	got := learn("--cluster", "listen:"+address)
	close(over)
	workers.Wait()
	if !bytes.Equal(got, want) {
		t.Errorf("%d edges, want %d", bytes.Count(got, []byte("\n")), bytes.Count(want, []byte("\n")))
	}
	t.Attr("tried", fmt.Sprint(killed))
}
