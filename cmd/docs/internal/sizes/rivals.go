package sizes

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/signals"
)

// Other programs: the graphical lasso at the penalty that the truth likes best, and two that choose it.
const (
	SKLearn       = "scikit-learn"
	SKLearnChosen = "scikit-learn own choice"
	QUIC          = "QUIC"
	BigQUIC       = "BigQUIC"
	BigQUICChosen = "BigQUIC own choice"
)

// rivals are those that can be run.
func (m Measurement) rivals() (by []string) {
	if m.R != "" {
		by = append(by, QUIC, BigQUIC, BigQUICChosen)
	}
	if m.Python != "" {
		by = append(by, SKLearn, SKLearnChosen)
	}
	return by
}

// patience is how much processor time another program has.
const patience = 30 * time.Minute

// rival lets another program learn from standardised signals. BigQUIC penalises the diagonal as well
// and stops early, so that the truth may like another penalty better there: it also tries the next ones.
func (m Measurement) rival(ctx context.Context, s *signals.Set, known *graph.Graph, by string, penalty float64) (Outcome, error) {
	tried := []float64{penalty}
	if k := slices.Index(penalties, penalty); by == BigQUIC && k >= 0 {
		tried = penalties[max(k-1, 0):min(k+2, len(penalties))]
	}
	var best Outcome
	for k, rho := range tried {
		got, err := m.rivalAt(ctx, s, known, by, rho)
		if err != nil {
			return got, err
		}
		if k == 0 || f1(got, known) > f1(best, known) {
			best = got
		}
	}
	return best, nil
}

func f1(o Outcome, known *graph.Graph) float64 {
	return Record{Edges: known.EdgeCount(), Outcome: o}.F1()
}

// rivalAt is rival at one penalty.
func (m Measurement) rivalAt(ctx context.Context, s *signals.Set, known *graph.Graph, by string, penalty float64) (Outcome, error) {
	dir, err := os.MkdirTemp("", "nervure-rival-")
	if err != nil {
		return Outcome{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := writeStandardised(filepath.Join(dir, "signals.bin"), s.Y); err != nil {
		return Outcome{}, err
	}
	program, script := m.Python, "rivals.py"
	if !strings.HasPrefix(by, SKLearn) {
		program, script = m.R, "rivals.R"
	}
	n, count := s.Y.Dims()
	// The shell ends it once it has used its time, whatever else the machine does.
	cmd := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`ulimit -t %.0f; exec "$@"`, patience.Seconds()), "sh",
		program, filepath.Join(m.Scripts, script), dir, by, fmt.Sprint(n), fmt.Sprint(count), fmt.Sprint(penalty))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	switch {
	case ctx.Err() != nil:
		return Outcome{}, ctx.Err()
	case err != nil && took > patience*99/100:
		return Outcome{Failed: fmt.Sprintf("not done after %.0f CPU minutes", patience.Minutes()), Penalty: penalty, Seconds: rounded(took.Seconds())}, nil
	case err != nil:
		return Outcome{}, fmt.Errorf("%s: %w: %s", by, err, said.String())
	}
	return m.readRival(out, dir, known)
}

// readRival reads what a script says: a line of JSON on what it did, and in edges.csv the pairs.
func (m Measurement) readRival(said []byte, dir string, known *graph.Graph) (Outcome, error) {
	lines := bytes.Split(bytes.TrimSpace(said), []byte("\n"))
	var told struct {
		Seconds, Penalty float64
		Failed           string
	}
	if err := json.Unmarshal(lines[len(lines)-1], &told); err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", said, err)
	}
	got := Outcome{Seconds: rounded(told.Seconds), Penalty: told.Penalty, Failed: told.Failed}
	if got.Failed != "" {
		return got, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "edges.csv"))
	if err != nil {
		return Outcome{}, err
	}
	for line := range strings.Lines(string(text)) {
		var i, j int
		if _, err := fmt.Sscanf(line, "%d,%d", &i, &j); err != nil {
			return Outcome{}, fmt.Errorf("edges.csv: %q: %w", line, err)
		}
		got.Found++
		if known.HasEdge(i, j) {
			got.Right++
		}
	}
	return got, nil
}

// penalties are those among which the truth chooses, on the scale of correlations.
var penalties = []float64{0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8}

// bestPenalty returns the penalty at which a graphical lasso has the best F1. All programs minimise
// the same, so ours, which is not measured here, stands for them.
func bestPenalty(ctx context.Context, y *mat.Dense, known *graph.Graph) (best float64, err error) {
	highest := -1.0
	for _, rho := range penalties {
		f1, err := lassoF1(ctx, y, known, rho)
		if err != nil {
			return 0, err
		}
		if f1 > highest {
			best, highest = rho, f1
		}
	}
	return best, nil
}

// lassoF1 is that of the graphical lasso at a penalty.
func lassoF1(ctx context.Context, y *mat.Dense, known *graph.Graph, rho float64) (float64, error) {
	r, err := baseline.Glasso{Penalty: rho, Absolute: true, Tolerance: 1e-5}.Learn(ctx, method.Problem{Y: y, Threads: 1})
	if err != nil {
		return 0, err
	}
	g, err := r.Graph.Rename(known.Names())
	if err != nil {
		return 0, err
	}
	return metrics.EdgeF1(g, known)
}

// writeStandardised writes signals, vertex by vertex, each with mean 0 and mean square 1.
func writeStandardised(path string, y *mat.Dense) error {
	n, count := y.Dims()
	values := make([]float64, 0, n*count)
	for i := range n {
		row := y.RawRowView(i)
		d := matrix.Describe(row)
		for _, v := range row {
			values = append(values, (v-d.Mean)/d.SD)
		}
	}
	text := make([]byte, 0, 8*len(values))
	for _, v := range values {
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
	}
	return os.WriteFile(path, text, 0o600)
}
