package measure

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
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
	edges := s.truth.EdgeCount()
	return Values{
		"units": float64(len(s.subjects)), "edges": float64(edges), "found": float64(len(found.edges)), "seconds": seconds,
		"right": float64(right(s.truth, found.edges)), "at_true": float64(right(s.truth, found.ranked[:min(edges, len(found.ranked))])),
	}, nil
}

// right counts the true edges.
func right(truth *graph.Graph, pairs [][2]int) (count int) {
	for _, pair := range pairs {
		if truth.HasEdge(pair[0], pair[1]) {
			count++
		}
	}
	return count
}

// common is what subjects have in common.
type common struct {
	edges  [][2]int
	ranked [][2]int // pairs, the most likely edges first
}

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
		return ofWeights(weights(a.Graph.Edges()), 0), nil
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
	means := map[[2]int]float64{}
	for _, pair := range pool.Pairs {
		means[[2]int{pair.I, pair.J}] = math.Abs(pair.Mean)
	}
	found := ofWeights(means, 0)
	found.edges = ofWeights(weights(g.Edges()), 0).edges
	return found, nil
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
	sums, have := map[[2]int]float64{}, map[[2]int]float64{}
	for _, g := range s.graphs {
		for pair, weight := range weights(g.NormalizedWeights()) {
			sums[pair] += weight
			have[pair]++
		}
	}
	found := ofWeights(sums, 0)
	if by == Majority {
		found.edges = ofWeights(have, float64(len(s.graphs))/2).edges
	}
	return found, nil
}

// weights returns the size of the weight of each edge.
func weights(edges []graph.Edge) map[[2]int]float64 {
	all := map[[2]int]float64{}
	for _, e := range edges {
		all[[2]int{min(e.I, e.J), max(e.I, e.J)}] = math.Abs(e.Weight)
	}
	return all
}

// ofWeights orders pairs by their weight, of which those from a least one on are edges.
func ofWeights(all map[[2]int]float64, least float64) common {
	found := common{ranked: slices.SortedFunc(maps.Keys(all), func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), slices.Compare(a[:], b[:]))
	})}
	for _, pair := range found.ranked {
		if all[pair] >= least {
			found.edges = append(found.edges, pair)
		}
	}
	return found
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
