//go:build unix

package baseline

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// A peerProblem is a graphical lasso that others solve, too.
type peerProblem struct {
	name string
	s    linalg.Dense
	rho  float64
}

// peerProblems returns random graphs, smooth fields and, where the photographs are,
// patches of them, with up to about a thousand vertices.
func peerProblems(b *testing.B) []peerProblem {
	b.Helper()
	var problems []peerProblem
	add := func(name string, y *mat.Dense, rho float64) {
		n, _ := y.Dims()
		problems = append(problems, peerProblem{fmt.Sprintf("%s/n=%d/rho=%g", name, n, rho), secondMoments(standardised(y)), rho})
	}
	field := func(family synth.Family, n int, ridge float64) *mat.Dense {
		g, err := synth.Graph(synth.GraphSpec{Family: family, Vertices: n, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		f, err := synth.Field(g.Graph, synth.FieldSpec{Law: synth.GaussianField, Count: 2 * n, Ridge: ridge, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		return f.Signals
	}
	for _, n := range []int{100, 300, 1000} {
		add("random", field(synth.FamilyER, n, 0.5), 0.05)
	}
	for _, n := range []int{100, 289, 1024} {
		add("smooth", field(synth.FamilyGrid, n, 0.01), 0.1)
	}
	for _, side := range []int{10, 17, 28} {
		if y := patches(b, side); y != nil {
			add("patches", y, 0.02)
		}
	}
	return problems
}

// patches returns that many times that many pixels of patches of photographs, or nil if they
// are not here. The vertices of the file are in no order, so that these are scattered.
func patches(b *testing.B, side int) *mat.Dense {
	b.Helper()
	const photographs = "../../shared/data/patches28/signals.npz"
	if _, err := os.Stat(photographs); err != nil {
		b.Log("the patches of photographs are not here")
		return nil
	}
	set, err := dataio.ReadSignals(photographs, dataio.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	_, m := set.Y.Dims()
	crop := mat.NewDense(side*side, m, nil)
	for i := range side * side {
		crop.SetRow(i, set.Y.RawRowView(i))
	}
	return crop
}

// BenchmarkChoosing times methods that choose the number of edges by themselves.
func BenchmarkChoosing(b *testing.B) {
	const side = 16
	y := patches(b, side)
	if y == nil {
		b.Skip("the patches of photographs are not here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, m := range []method.Method{Partial{}, Glasso{}, GGM{}, GGL{}} {
		b.Run(m.Name(), func(b *testing.B) {
			for b.Loop() {
				before := cpuSeconds(b)
				r, err := m.Learn(b.Context(), method.Problem{Y: y})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(cpuSeconds(b)-before, "s")
				b.ReportMetric(float64(r.Graph.EdgeCount()), "edges")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// peers builds the other programs from their sources in the directory that
// NERVURE_PEERS names: glassofast.f90 (Sustik and Calderhead, in the R package
// glassoFast) and QUIC.C with QUIC.h (Hsieh et al., in the Python package skggm). They
// are under licences of their own and not shipped.
func peers(b *testing.B) string {
	b.Helper()
	sources := os.Getenv("NERVURE_PEERS")
	if sources == "" {
		b.Skip("NERVURE_PEERS does not name a directory with glassofast.f90, QUIC.C and QUIC.h")
	}
	driver, err := filepath.Abs("testdata/peers.cpp")
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	for _, command := range [][]string{
		{"gfortran", "-O3", "-march=native", "-c", filepath.Join(sources, "glassofast.f90"), "-o", "glassofast.o"},
		{"g++", "-O3", "-march=native", "-I" + sources, "-c", filepath.Join(sources, "QUIC.C"), "-o", "quic.o"},
		{"g++", "-O3", driver, "glassofast.o", "quic.o", "-lgfortran", "-lopenblas", "-o", "peers"},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
		}
	}
	return filepath.Join(dir, "peers")
}

// solveBy lets a peer solve a problem and returns its CPU seconds and objective, or
// false if it did not end in time.
func (p peerProblem) solveBy(b *testing.B, program, peer string, threshold float64) (seconds, f float64, done bool) {
	b.Helper()
	n := p.s.Rows
	ctx, cancel := context.WithTimeout(b.Context(), peerPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, peer, strconv.Itoa(n), fmt.Sprint(p.rho), fmt.Sprint(threshold))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	var in, out, said bytes.Buffer
	if err := binary.Write(&in, binary.LittleEndian, p.s.Data); err != nil {
		b.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &said
	if err := cmd.Run(); ctx.Err() != nil {
		return 0, 0, false
	} else if err != nil {
		b.Fatalf("%s: %v\n%s", peer, err, said.String())
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(said.String()), 64)
	if err != nil {
		b.Fatal(err)
	}
	theta := linalg.NewDense(n, n)
	if err := binary.Read(&out, binary.LittleEndian, theta.Data); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		for j := range i {
			mean := (theta.Data[i*n+j] + theta.Data[j*n+i]) / 2
			theta.Data[i*n+j], theta.Data[j*n+i] = mean, mean
		}
	}
	return seconds, objective(p.s, theta, p.rho, linalg.NewDense(n, n)), true
}

// peerTolerance is a duality gap per vertex that leads to smaller objectives than the
// default accuracy of the others.
const (
	peerTolerance = 1e-7
	peerRepeats   = 5 // the fastest of which counts
	peerPatience  = time.Minute
)

// cpuSeconds returns what this process has used so far.
func cpuSeconds(b *testing.B) float64 {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

// BenchmarkGlassoPeers times the graphical lasso and the fastest other programs for
// it, each on one thread and with its own default accuracy, on the same problems in
// the same run. above is by how much the objective of the other is above ours; default is our
// time at our own default tolerance.
func BenchmarkGlassoPeers(b *testing.B) {
	program := peers(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, p := range peerProblems(b) {
		b.Run(p.name, func(b *testing.B) {
			ours, fast, exact := math.Inf(1), math.Inf(1), math.Inf(1)
			var f, theirs float64
			for b.Loop() {
				for range peerRepeats {
					solve := func(tolerance float64) (*precision, float64) {
						before := cpuSeconds(b)
						model := newPrecision(p.s)
						model.solve(context.Background(), p.rho, tolerance, 5000)
						return model, cpuSeconds(b) - before
					}
					_, seconds := solve(glassoTolerance)
					exact = min(exact, seconds)
					model, seconds := solve(peerTolerance)
					ours = min(ours, seconds)
					f = objective(p.s, model.theta, p.rho, linalg.NewDense(p.s.Rows, p.s.Rows))
					seconds, theirs, _ = p.solveBy(b, program, "glassofast", 1e-4)
					fast = min(fast, seconds)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours, "s")
			b.ReportMetric(fast, "glassofast-s")
			b.ReportMetric(theirs-f, "glassofast-above")
			b.ReportMetric(ours/fast, "of-glassofast")
			b.ReportMetric(exact/fast, "default-of-glassofast")
			if seconds, theirs, done := p.solveBy(b, program, "quic", 1e-6); done {
				b.ReportMetric(seconds, "quic-s")
				b.ReportMetric(theirs-f, "quic-above")
			}
		})
	}
}
