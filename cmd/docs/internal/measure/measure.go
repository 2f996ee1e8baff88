// Package measure measures what the manual shows: on simulated signals whose graph is known, on
// measured sets and beside other programs. A measurement is an experiment, a grid of cells and
// seeds, whose records are committed in docs/results; or Go's benchmarks, whose lines are.
package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/repository"
	"github.com/nervure/nervure/internal/run"
)

// Options say what to measure, and where that lies which is not in the repository. What an empty path
// leaves unsaid is left out.
type Options struct {
	Root     string   // of the repository
	Data     string   // directory of measured sets, one in each, or of the studies of python/benchmarks/groups.py
	Networks string   // directory of the sets of python/benchmarks/networks.py
	Python   string   // with scikit-learn
	R        string   // Rscript with QUIC and BigQuic
	Only     []string // lists of words: a cell that has all of one of them is measured; nil means all
	Again    bool     // measure what there is a record of
	Seed     uint64   // the first seed; zero means that of the committed results
	Out      string   // directory of the records; empty means that of the committed ones
	Log      io.Writer
	Tool     string // the program; empty means one that is built
	Threads  int    // zero means all processors
}

// A Measurement is named as in docs/results. Nothing was chosen or tuned on the seeds of committed
// results, nor may it be: development has others.
type Measurement struct {
	Name, About          string
	needsTool, needsData bool
	stages               func(o Options) ([]experiment.Stage, error)
	run                  func(ctx context.Context, o Options) error // of one that is no experiment
}

// All are the measurements.
var All = slices.Concat(benchmarks, []Measurement{
	{
		Name: "realdata", About: "the tool on sets of real data, in --data: twenty minutes", needsTool: true,
		needsData: true, stages: realStages,
	},
	{Name: "walk", About: "the commands of docs/real-data.md: a minute", run: walk},
	{Name: "messy", About: "simulated recordings as they come: an hour", stages: messyStages},
	{Name: "fields", About: "fields of every kernel, networks and sets: many hours", stages: fieldStages},
	{Name: "sizes", About: "fields of many vertices, and other programs on them: half an hour", stages: sizeStages},
	{Name: "groups", About: "groups of simulated subjects: an hour", needsTool: true, stages: groupStages},
	{Name: "plan", About: "plans against what is then found: ten minutes", stages: planStages},
	{Name: "forecast", About: "forecasts along the edges of graphs: two minutes", stages: forecastStages},
	{Name: "reliability", About: "all that is tried to break the tool: several hours", stages: trialStages},
})

// Run measures what there is no record of.
func (m Measurement) Run(ctx context.Context, o Options) error {
	if m.needsData && o.Data == "" {
		return errors.New("--data says where the sets are")
	}
	if m.needsTool && o.Tool == "" {
		return repository.WithTool(ctx, o.Root, func(bin string) error {
			o.Tool = filepath.Join(bin, "nervure")
			return m.Run(ctx, o)
		})
	}
	if m.run != nil {
		return m.run(ctx, o)
	}
	if (o.Seed == 0) != (o.Out == "") {
		return errors.New("other seeds need another directory: --seed and --out go together")
	}
	stages, err := m.stages(o)
	if err != nil {
		return err
	}
	for k := range stages {
		if o.Seed > 0 && stages[k].Seeds.First > 0 {
			stages[k].Seeds.First = o.Seed
		}
	}
	wanted := func(stage string, cell Cell, seed uint64) bool { return hasAll(wordsOf(stage, cell, seed), o.Only) }
	count := 0
	for _, s := range stages {
		for _, c := range s.Cells {
			for k := range s.Seeds.Count {
				count += int(flag(wanted(s.Name, c, s.Seeds.First+uint64(k))))
			}
		}
	}
	if count == 0 {
		return errors.New("nothing to measure has all these words")
	}
	dir := o.Out
	if dir == "" {
		dir = filepath.Join(o.Root, dirOf(m.Name))
	}
	_, err = experiment.Run(ctx, &experiment.Experiment{Name: m.Name, Stages: stages}, experiment.RunOptions{
		Dir: dir, Again: o.Again, Some: wanted,
		Report: func(p experiment.Progress) {
			if p.Latest != nil {
				fmt.Fprintln(o.Log, *p.Latest)
			}
		},
	})
	return err
}

// dirOf is where the repository keeps records.
func dirOf(name string) string { return filepath.Join("docs", "results", name) }

// Read returns the committed records of a measurement.
func Read(root, name string) ([]experiment.Record, error) {
	return experiment.ReadRecords(filepath.Join(root, dirOf(name)))
}

// wordsOf are the words by which a cell can be asked for: its stage, seed=3, and its labels, with and
// without their keys.
func wordsOf(stage string, cell Cell, seed uint64) []string {
	words := []string{stage, fmt.Sprintf("seed=%d", seed)}
	for word := range strings.FieldsSeq(cell.Name()) {
		_, value, _ := strings.Cut(word, "=")
		words = append(words, word, value)
	}
	return words
}

func hasAll(words, lists []string) bool {
	return lists == nil || slices.ContainsFunc(lists, func(list string) bool {
		return !slices.ContainsFunc(strings.Fields(list), func(word string) bool { return !slices.Contains(words, word) })
	})
}

type (
	// Cell is that of experiments.
	Cell = experiment.Cell
	// Values are those of experiments.
	Values = experiment.Values
)

// cell is a cell of one stage.
func cell(measure func(ctx context.Context, seed uint64) (Values, error), labels ...experiment.Label) Cell {
	return Cell{Labels: labels, Measure: func(ctx context.Context, seed uint64, _ []experiment.Record) (Values, error) {
		return measure(ctx, seed)
	}}
}

// once is the seeds of a stage that draws nothing.
var once = experiment.Seeds{Count: 1}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// shared is work that cells have in common: the first that needs it does it.
type shared[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (s *shared[T]) get(work func() (T, error)) (T, error) {
	s.once.Do(func() { s.value, s.err = work() })
	return s.value, s.err
}

// rounded keeps four digits.
func rounded(v float64) float64 { return math.Round(10_000*v) / 10_000 }

// put adds values under names that begin alike.
func put(to Values, prefix string, values Values) {
	for name, v := range values {
		to[prefix+name] = v
	}
}

// cpuSeconds is the processor time of some work of this process.
func cpuSeconds(work func() error) (float64, error) {
	before, err := run.CPUTime()
	if err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	after, err := run.CPUTime()
	return rounded((after - before).Seconds()), err
}

// learn learns a graph, and says what of it is right, and the processor time of that.
func learn(
	ctx context.Context, s *nervure.Signals, known Target, by nervure.Options, threads int,
) (a *nervure.Analysis, v Values, err error) {
	if by.Threads = threads; threads == 0 {
		by.Threads = runtime.NumCPU()
	}
	seconds, err := cpuSeconds(func() (err error) {
		a, err = nervure.Learn(ctx, s, by)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	edges, sure, kernel := a.Graph.Edges(), sureEdges(a.Graph), ""
	if fit := baseline.FieldFitOf(a.Result); fit != nil {
		kernel = fit.Kernel
	}
	return a, Values{
		"method": a.Options.Method.Name(), "kernel": kernel, "seconds": seconds,
		"found": float64(len(edges)), "right": float64(known.Right(edges)),
		"sure": float64(len(sure)), "sure_true": float64(known.Right(sure)),
	}, nil
}

// sizeOf says how large signals are, and how many edges they have.
func sizeOf(s *nervure.Signals, known Target) Values {
	n, m := s.Y.Dims()
	return Values{"vertices": float64(n), "signals": float64(m), "edges": float64(known.Edges())}
}
