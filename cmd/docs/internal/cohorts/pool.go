package cohorts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

// Who learns the graph that subjects have in common, besides this tool's partial pooling.
const (
	Separate = "mean"     // of the graphs of single subjects, all edges that any has
	Majority = "majority" // of these graphs: the edges that at least half of them have
	Stacked  = "stacked"  // one graph of all signals, one after the other
	Nilearn  = "nilearn"  // GroupSparseCovarianceCV
)

// learners are in the order in which they are measured.
var learners = []string{"", Separate, Majority, Stacked}

// poolJobs returns those of the studies of Data that nilearn has learned from.
func (m Measurement) poolJobs() ([]job, error) {
	path := filepath.Join(m.Data, "nilearn.csv")
	rows, err := table(path)
	if err != nil {
		return nil, err
	}
	var all []job
	for _, row := range rows {
		r, err := poolRecord(row["cell"], row["study"])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s := &sharedStudy{folder: filepath.Join(m.Data, "common", row["cell"], row["study"])}
		for _, by := range learners {
			r.By = by
			all = append(all, job{r, s.learn})
		}
		r.By = Nilearn
		all = append(all, job{r, func(_ context.Context, r Record) (Record, error) { return r.readNilearn(row) }})
	}
	return all, nil
}

// poolRecord is what is known of a study by its place: grid-n20-m100 and study-003.
func poolRecord(cell, study string) (Record, error) {
	r := Record{Setting: Setting{Part: Pool}}
	name, rest, _ := strings.Cut(cell, "-")
	r.Design = name
	if _, err := fmt.Sscanf(rest+" "+study, "n%d-m%d study-%d", &r.Vertices, &r.Rows, &r.Study); err != nil {
		return r, fmt.Errorf("%s of %s: %w", study, cell, err)
	}
	r.Study++
	return r, nil
}

// readNilearn reads what nilearn has done with a study.
func (r Record) readNilearn(row map[string]string) (Record, error) {
	var numbers [5]float64
	for k, name := range []string{"edges", "found", "f1", "f1_true_count", "seconds"} {
		x, err := strconv.ParseFloat(row[name], 64)
		if err != nil {
			return r, err
		}
		numbers[k] = x
	}
	r.Edges, r.Drawn, r.Seconds = int(numbers[0]), int(numbers[1]), rounded(numbers[4])
	r.Right = int(math.Round(numbers[2] * (numbers[0] + numbers[1]) / 2))
	r.AtTrue = int(math.Round(numbers[3] * numbers[0]))
	return r, nil
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

// learn learns the graph that subjects have in common.
func (s *sharedStudy) learn(ctx context.Context, r Record) (Record, error) {
	if err := s.read(); err != nil {
		return r, err
	}
	r.Units = len(s.subjects)
	before, err := run.CPUTime()
	if err != nil {
		return r, err
	}
	known := s.graphs != nil && (r.By == Separate || r.By == Majority)
	found, err := s.by(ctx, r.By)
	if err != nil {
		return r, err
	}
	after, err := run.CPUTime()
	if err != nil {
		return r, err
	}
	switch took := rounded((after - before).Seconds()); {
	case known:
		r.Seconds = s.seconds
	default:
		r.Seconds = took
		if r.By == Separate || r.By == Majority {
			s.seconds = took
		}
	}
	r.Edges, r.Drawn = s.truth.EdgeCount(), len(found.edges)
	r.Right = right(s.truth, found.edges)
	r.AtTrue = right(s.truth, found.ranked[:min(r.Edges, len(found.ranked))])
	return r, nil
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
	case "":
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
			a, err := nervure.Learn(ctx, &nervure.Signals{Y: y, Names: s.names}, nervure.Options{Method: whole.Result.Method, Threads: 1, Confidence: nervure.No})
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
