package nervure_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// manySignals writes signals on a graph of n vertices to an array of NumPy, some at a
// time, and returns the graph.
func manySignals(b testing.TB, path string, n, m int) *graph.Graph {
	b.Helper()
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: 920_000})
	if err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", m, n)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	start := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	if _, err := w.Write(append(start, header...)); err != nil {
		b.Fatal(err)
	}
	const some = 10_000
	for from := 0; from < m; from += some {
		truth, err := synth.Signals(drawn.Graph, kernel.Paper(), synth.SignalSpec{Count: min(some, m-from), Sparsity: 4, Seed: 920_000 + uint64(from)})
		if err != nil {
			b.Fatal(err)
		}
		_, count := truth.Signals.Dims()
		row := make([]byte, 0, 8*n)
		for s := range count {
			row = row[:0]
			for i := range n {
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(truth.Signals.At(i, s)))
			}
			if _, err := w.Write(row); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return drawn.Graph
}

// BenchmarkManySignals learns from a million signals in a file, and reports how much
// memory that takes beyond the file. `make performance` keeps what it prints.
func BenchmarkManySignals(b *testing.B) {
	const n, m = 200, 1_000_000
	b.Run(fmt.Sprintf("er/n=%d/m=%d", n, m), func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "signals.npy")
		truth := manySignals(b, path, n, m)
		var seconds, peak, f1 float64
		for b.Loop() {
			debug.FreeOSMemory()
			watched := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
			begin := time.Now()
			s, err := dataio.ReadSignals(path, dataio.ReadOptions{Sample: nervure.SampleSignals})
			if err != nil {
				b.Fatal(err)
			}
			a, err := nervure.Learn(b.Context(), s, nervure.Options{Confidence: nervure.No})
			if err != nil {
				b.Fatal(err)
			}
			seconds = time.Since(begin).Seconds()
			if watched {
				peak = checks.PeakMemory(b)
			}
			score, err := metrics.Edges(a.Graph, truth)
			if err != nil {
				b.Fatal(err)
			}
			f1 = score.F1()
			b.Log(a.Verdict.Reasons())
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(1, "graphs")
		b.ReportMetric(seconds, "s/graph")
		b.ReportMetric(f1, "F1")
		if peak > 0 {
			b.ReportMetric(peak, "peak-MB")
		}
	})
}
