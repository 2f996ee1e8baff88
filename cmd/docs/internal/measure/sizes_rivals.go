package measure

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

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
)

// Other programs: the graphical lasso at the penalty that the truth likes best, and two that choose it.
const (
	SKLearn       = "scikit-learn"
	SKLearnChosen = "scikit-learn own choice"
	QUIC          = "QUIC"
	BigQUIC       = "BigQUIC"
	BigQUICChosen = "BigQUIC own choice"
)

// patience is how much processor time another program has.
const patience = 30 * time.Minute

// A rival is another program, which learns from standardised signals.
type rival struct {
	name, program, script string
}

// rivals are those that can be run.
func rivals(o Options) (all []rival) {
	scripts := filepath.Join(o.Root, "python", "benchmarks")
	if o.R != "" {
		for _, name := range []string{QUIC, BigQUIC, BigQUICChosen} {
			all = append(all, rival{name, o.R, filepath.Join(scripts, "rivals.R")})
		}
	}
	if o.Python != "" {
		for _, name := range []string{SKLearn, SKLearnChosen} {
			all = append(all, rival{name, o.Python, filepath.Join(scripts, "rivals.py")})
		}
	}
	return all
}

// learn takes the best of some penalties. BigQUIC penalises the diagonal as well and stops early, so that
// the truth may like another penalty better there: it also tries the next ones.
func (r rival) learn(ctx context.Context, s *nervure.Signals, known *graph.Graph, penalty float64) (best Values, err error) {
	tried := []float64{penalty}
	if k := slices.Index(penalties, penalty); r.name == BigQUIC && k >= 0 {
		tried = penalties[max(k-1, 0):min(k+2, len(penalties))]
	}
	f1 := func(v Values) float64 {
		return v["right"].(float64) / (v["found"].(float64) + float64(known.EdgeCount()))
	}
	for _, rho := range tried {
		got, err := r.learnAt(ctx, s, known, rho)
		if err != nil {
			return got, err
		}
		if best == nil || f1(got) > f1(best) {
			best = got
		}
	}
	return best, nil
}

// learnAt is learn at one penalty.
func (r rival) learnAt(ctx context.Context, s *nervure.Signals, known *graph.Graph, penalty float64) (Values, error) {
	dir, err := os.MkdirTemp("", "nervure-rival-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := writeStandardised(filepath.Join(dir, "signals.bin"), s.Y); err != nil {
		return nil, err
	}
	n, count := s.Y.Dims()
	// The shell ends it once it has used its time, whatever else the machine does.
	cmd := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`ulimit -t %.0f; exec "$@"`, patience.Seconds()), "sh",
		r.program, r.script, dir, r.name, fmt.Sprint(n), fmt.Sprint(count), fmt.Sprint(penalty))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && took > patience*99/100:
		late := fmt.Sprintf("not done after %.0f CPU minutes", patience.Minutes())
		return Values{"failed": late, "penalty": penalty, "seconds": rounded(took.Seconds()), "found": 0.0, "right": 0.0}, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %s", r.name, err, said.String())
	}
	return readRival(out, dir, known)
}

// readRival reads what a script says: a line of JSON on what it did, and in edges.csv the pairs.
func readRival(said []byte, dir string, known *graph.Graph) (Values, error) {
	lines := bytes.Split(bytes.TrimSpace(said), []byte("\n"))
	var told struct {
		Seconds, Penalty float64
		Failed           string
	}
	if err := json.Unmarshal(lines[len(lines)-1], &told); err != nil {
		return nil, fmt.Errorf("%s: %w", said, err)
	}
	var edges []graph.Edge
	if told.Failed == "" {
		text, err := os.ReadFile(filepath.Join(dir, "edges.csv"))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			var e graph.Edge
			if _, err := fmt.Sscanf(line, "%d,%d", &e.I, &e.J); err != nil {
				return nil, fmt.Errorf("edges.csv: %q: %w", line, err)
			}
			edges = append(edges, e)
		}
	}
	return Values{
		"seconds": rounded(told.Seconds), "penalty": told.Penalty, "failed": told.Failed,
		"found": float64(len(edges)), "right": float64(truth(known).Right(edges)),
	}, nil
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
