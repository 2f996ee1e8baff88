package measure

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/matrix"
)

// Who learns the graph that subjects have in common, besides this tool's partial pooling.
const (
	Separate = "mean"     // of the graphs of single subjects, all edges that any has
	Majority = "majority" // of these graphs: the edges that at least half of them have
	Stacked  = "stacked"  // one graph of all signals, one after the other
	Nilearn  = "nilearn"  // GroupSparseCovarianceCV
)

// poolCells are those of the studies that nilearn has learned from, in folders such as grid-n20-m100/study-003.
func poolCells(o Options) (list []Cell, err error) {
	path := filepath.Join(o.Data, "nilearn.csv")
	rows, err := table(path)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		name, rest, _ := strings.Cut(row["cell"], "-")
		var n, m, number int
		if _, err := fmt.Sscanf(rest+" "+row["study"], "n%d-m%d study-%d", &n, &m, &number); err != nil {
			return nil, fmt.Errorf("%s: %s of %s: %w", path, row["study"], row["cell"], err)
		}
		s := &sharedStudy{folder: filepath.Join(o.Data, "common", row["cell"], row["study"])}
		for _, by := range []string{Tool, Separate, Majority, Stacked, Nilearn} {
			list = append(list, cell(func(ctx context.Context, _ uint64) (Values, error) {
				if by == Nilearn {
					return readNilearn(row)
				}
				return s.learn(ctx, by)
			}, experiment.Text("design", name), experiment.Amount("vertices", n), experiment.Amount("rows", m),
				experiment.Amount("study", number+1), experiment.Text("by", by)))
		}
	}
	return list, nil
}

// A sharedStudy is that of subjects on one graph, whose files are in a folder.
type sharedStudy struct {
	folder   string
	names    []string
	subjects []*mat.Dense
	truth    *graph.Graph
	graphs   []*graph.Graph // of single subjects, once they are learned
	seconds  float64        // that this took
}

// read reads the study, if it was not read yet.
func (s *sharedStudy) read() error {
	if s.truth != nil {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(s.folder, "s*.csv"))
	if err != nil {
		return err
	}
	for _, file := range files {
		set, err := dataio.ReadSignals(file, dataio.ReadOptions{})
		if err != nil {
			return err
		}
		s.names, s.subjects = set.Names, append(s.subjects, set.Y)
	}
	s.truth, err = dataio.ReadGraph(filepath.Join(s.folder, "truth.csv"), s.names)
	return err
}

// learn learns the graph that subjects have in common. The graphs of single subjects are learned once.
func (s *sharedStudy) learn(ctx context.Context, by string) (Values, error) {
	if err := s.read(); err != nil {
		return nil, err
	}
	var found common
	seconds, err := cpuSeconds(func() (err error) {
		found, err = s.by(ctx, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	if by == Separate || by == Majority {
		if s.seconds == 0 {
			s.seconds = seconds
		}
		seconds = s.seconds
	}
	known := truth(s.truth)
	return Values{
		"units": float64(len(s.subjects)), "edges": float64(known.Edges()), "found": float64(found.graph.EdgeCount()),
		"right": float64(known.Right(found.graph.Edges())), "seconds": seconds,
		"at_true": float64(known.Right(found.ranked.Strongest(known.Edges()).Edges())),
	}, nil
}

// common is what subjects have in common: a graph, and one of more edges whose weights say how likely they are.
type common struct{ graph, ranked *graph.Graph }

// by learns it in one of the ways.
func (s *sharedStudy) by(ctx context.Context, who string) (common, error) {
	switch who {
	case Tool:
		return pooled(s.names, s.subjects)
	case Stacked:
		a, err := s.stacked(ctx)
		if err != nil {
			return common{}, err
		}
		return common{a.Graph, a.Graph}, nil
	}
	return s.separate(ctx, who)
}

// stacked learns from all signals, one after the other.
func (s *sharedStudy) stacked(ctx context.Context) (*nervure.Analysis, error) {
	return nervure.Learn(ctx, &nervure.Signals{Y: stack(s.subjects), Names: s.names}, nervure.Options{Threads: 1, Confidence: nervure.No})
}

// pooled is what batch --groups does for the subjects of a group.
func pooled(names []string, subjects []*mat.Dense) (common, error) {
	var units []*mat.SymDense
	for _, y := range subjects {
		units = append(units, groups.Correlations(y))
	}
	v, err := groups.OfCorrelations(names, units)
	if err != nil {
		return common{}, err
	}
	pool, err := groups.PoolOf(v)
	if err != nil {
		return common{}, err
	}
	g, err := pool.Graph(names)
	if err != nil {
		return common{}, err
	}
	var means []graph.Edge
	for _, pair := range pool.Pairs {
		means = append(means, graph.Edge{I: pair.I, J: pair.J, Weight: math.Abs(pair.Mean)})
	}
	ranked, err := graph.New(names, means)
	return common{g, ranked}, err
}

// separate learns the graph of each subject by itself, with the method that is chosen for all of them, and takes
// the edges that any of them has or, if asked for the majority, half of them.
func (s *sharedStudy) separate(ctx context.Context, by string) (common, error) {
	if s.graphs == nil {
		whole, err := s.stacked(ctx)
		if err != nil {
			return common{}, err
		}
		for _, y := range s.subjects {
			a, err := nervure.Learn(ctx, &nervure.Signals{Y: y, Names: s.names},
				nervure.Options{Method: whole.Result.Method, Threads: 1, Confidence: nervure.No})
			if err != nil {
				return common{}, err
			}
			s.graphs = append(s.graphs, a.Graph)
		}
	}
	n := len(s.names)
	sums, have := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for _, g := range s.graphs {
		for _, e := range g.NormalizedWeights() {
			sums.SetSym(e.I, e.J, sums.At(e.I, e.J)+math.Abs(e.Weight))
			have.SetSym(e.I, e.J, have.At(e.I, e.J)+1)
		}
	}
	var all, most []graph.Edge
	for _, pair := range groups.AllPairs(n) {
		i, j := pair[0], pair[1]
		if have.At(i, j) == 0 {
			continue
		}
		e := graph.Edge{I: i, J: j, Weight: sums.At(i, j)}
		all = append(all, e)
		if by == Separate || 2*have.At(i, j) >= float64(len(s.graphs)) {
			most = append(most, e)
		}
	}
	ranked, err := graph.New(s.names, all)
	if err != nil {
		return common{}, err
	}
	found, err := graph.New(s.names, most)
	return common{found, ranked}, err
}

// stack puts the standardised signals of subjects one after the other.
func stack(subjects []*mat.Dense) *mat.Dense {
	n, rows := subjects[0].Dims()
	all := mat.NewDense(n, rows*len(subjects), nil)
	for k, y := range subjects {
		for i := range n {
			d := matrix.Describe(y.RawRowView(i))
			for t, v := range y.RawRowView(i) {
				all.Set(i, k*rows+t, (v-d.Mean)/d.SD)
			}
		}
	}
	return all
}
