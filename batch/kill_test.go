package batch

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

var (
	kills = flag.Int("kills", 6, "how many times a batch is killed")
	many  = flag.Int("files", 24, "how many files it has")
)

// A batch killed with SIGKILL at any moment and started again leaves the same folder as
// an undisturbed one, apart from seconds. Here the program itself is killed, as users
// get it. More of it:
//
//	go test ./batch -run Killed -files 200 -kills 20
func TestKilledBatchesEndLikeUndisturbedOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("learns for some seconds")
	}
	program := filepath.Join(t.TempDir(), "nervure.exe")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/nervure").CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	in, whole, dir := t.TempDir(), t.TempDir(), t.TempDir()
	for k := range *many {
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 12, Seed: uint64(k%5 + 1)}, kernel.Paper(),
			synth.SignalSpec{Count: 60, Sparsity: 2, Seed: uint64(k + 1)})
		if err != nil {
			t.Fatal(err)
		}
		if err := dataio.WriteSignals(filepath.Join(in, fmt.Sprintf("s%03d.csv", k)), &nervure.Signals{Y: truth.Signals, Names: truth.Graph.Names()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(in, "bad.csv"), []byte("a,b\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(out string) *exec.Cmd {
		return exec.CommandContext(t.Context(), program, "batch", in, "--out", out, "--report", "--quiet")
	}
	begun := time.Now()
	if out, err := command(whole).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	took := time.Since(begun)
	r := rng.Stream(1, "kill")
	killed := 0
	for range *kills {
		cmd := command(dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(took)/max(int64(*kills)/3, 1))), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() != nil {
			killed++
		}
		timer.Stop()
	}
	t.Logf("%d files in %s, killed %d times", *many, took.Round(time.Millisecond), killed)
	if killed == 0 {
		t.Error("every run ended before it could be killed")
	}
	if out, err := command(dir).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
	same(t, contents(t, dir), contents(t, whole))
}
