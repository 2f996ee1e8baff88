package viewer

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nervure/nervure/internal/repository"
)

// programDir has the real program, once a test has asked for it.
var programDir string

// The real program runs the jobs of these tests. It is built once.
var builtProgram = sync.OnceValues(func() (string, error) {
	var err error
	if programDir, err = os.MkdirTemp("", "nervure-test-"); err != nil {
		return "", err
	}
	return repository.Build(context.Background(), "../../..", programDir)
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(programDir)
	os.Exit(code)
}

func program(t testing.TB) string {
	t.Helper()
	path, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// noise is signals that the program takes a while to learn from.
func noise(vertices, signals int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for v := range vertices {
		fmt.Fprintf(&b, "%s%c%d", strings.Repeat(",", min(v, 1)), 'a'+v%26, v)
	}
	b.WriteByte('\n')
	for range signals {
		for v := range vertices {
			fmt.Fprintf(&b, "%s%.6f", strings.Repeat(",", min(v, 1)), r.NormFloat64())
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// learnable are signals with a graph behind them, small enough to be quick.
func learnable(t testing.TB) []byte {
	t.Helper()
	return generated(t, "--vertices", "12", "--signals", "80")
}

// generated are signals with a graph behind them.
func generated(t testing.TB, flags ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(program(t), append([]string{"generate", "--graph", "er", "--seed", "3", "--out", dir}, flags...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(filepath.Join(dir, "signals.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
