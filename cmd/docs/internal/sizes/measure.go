package sizes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/signals"
)

// A Measurement says what to measure.
type Measurement struct {
	Seeds []uint64 // of fields; of some only the first are taken
	Data  string   // a directory with sets whose graph is known, on which engines are compared; empty for none
	// Only are the fields and sets to measure: those that have all words of one of these, such as "sizes
	// grid N=2500"; nil means all but the largest, and but other programs.
	Only []string
	By   []string // those that learn; nil means all
	// Missing leaves out what has a record already.
	Missing bool
	Threads int // as in [nervure.Options]
	Log     io.Writer
	// Python and R run other programs; empty for none. Scripts is where what they run lies.
	Python, R, Scripts string
}

// A job is a field or a set, with those that learn from it.
type job struct {
	record Record // what is known beforehand
	by     []string
	read   func(ctx context.Context) (*signals.Set, records.Target, error)
}

func (j job) words() []string {
	if j.record.Set != "" {
		return []string{j.record.Part, "set", j.record.Set}
	}
	return append([]string{j.record.Part, fmt.Sprintf("seed=%d", j.record.Seed)}, j.record.words()...)
}

// Measure lets every learner learn from each field and set, says what came of it, and writes it to a
// file of records, where others stay; to none if the path is empty.
func (m Measurement) Measure(ctx context.Context, results string) error {
	done, err := ReadRecords(results) // none if the path is empty
	if err != nil {
		return err
	}
	jobs, err := m.jobs()
	if err != nil {
		return err
	}
	for _, j := range jobs {
		j.by = slices.DeleteFunc(j.by, func(by string) bool { return !m.wantsBy(j.record, by, done) })
		if len(j.by) == 0 {
			continue
		}
		if err := m.measure(ctx, j, results); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(j.words(), " "), err)
		}
	}
	return nil
}

// jobs returns what was asked for.
func (m Measurement) jobs() ([]job, error) {
	var all []job
	for _, part := range Parts {
		for _, s := range settings(part) {
			for k, seed := range m.Seeds[:min(len(m.Seeds), s.seedsOf(part))] {
				all = append(all, job{
					record: Record{Part: part, Setting: s, Seed: seed}, by: m.learners(part, s, k == 0),
					read: func(ctx context.Context) (*signals.Set, records.Target, error) {
						y, g, err := s.draw(ctx, seed)
						return y, records.Truth{Graph: g}, err
					},
				})
			}
		}
	}
	sets, err := m.sets()
	all = slices.DeleteFunc(append(all, sets...), func(j job) bool { return !m.wants(j) })
	if err == nil && len(all) == 0 {
		err = errors.New("nothing to measure has all these words")
	}
	return all, err
}

// learners are those of a part. Time without confidence is that of the first seed, of positive fields.
func (m Measurement) learners(part string, s Setting, first bool) []string {
	switch {
	case part == Engines:
		return []string{Local, Dense}
	case part == Rivals:
		return append([]string{Default, WithoutConfidence, Local}, m.rivals()...)
	case part == BySize && first && !s.Signed && s.Size >= middle:
		return []string{Default, WithoutConfidence}
	}
	return []string{Default}
}

// sets returns those of the directory that have a truth.
func (m Measurement) sets() (all []job, err error) {
	if m.Data == "" {
		return nil, nil
	}
	add := func(name string, read func() (*signals.Set, realdata.Target, error)) {
		all = append(all, job{record: Record{Part: Engines, Set: name}, by: []string{Local, Dense}, read: func(context.Context) (*signals.Set, records.Target, error) { return read() }})
	}
	for _, s := range realdata.Sets {
		if s.HasEdges() {
			add(s.Name, func() (*signals.Set, realdata.Target, error) { return s.Read(m.Data) })
		}
	}
	for _, kind := range []string{"dream4/net*", "netsim/sim*"} {
		folders, err := filepath.Glob(filepath.Join(m.Data, filepath.FromSlash(kind)))
		if err != nil {
			return nil, err
		}
		for _, f := range folders {
			name := filepath.Base(filepath.Dir(f)) + "/" + filepath.Base(f)
			add(name, func() (*signals.Set, realdata.Target, error) { return realdata.ReadPlain(f, "signals.csv") })
		}
	}
	return all, nil
}

// wants reports whether a job was asked for.
func (m Measurement) wants(j job) bool {
	if m.Only == nil {
		return j.record.Size != Largest && j.record.Part != Rivals
	}
	return records.HasAll(j.words(), m.Only)
}

// wantsBy reports whether a learner was asked for, given what has been measured.
func (m Measurement) wantsBy(r Record, by string, done []Record) bool {
	r.By = by
	isDone := slices.ContainsFunc(done, func(d Record) bool { return order(d, r) == 0 })
	return (m.By == nil || slices.Contains(m.By, by)) && !(m.Missing && isDone)
}

// measure lets all of a job learn.
func (m Measurement) measure(ctx context.Context, j job, results string) error {
	s, known, err := j.read(ctx)
	if err != nil {
		return err
	}
	penalty := sync.OnceValues(func() (float64, error) { return bestPenalty(ctx, s.Y, known.(records.Truth).Graph) })
	for _, by := range j.by {
		r := j.record
		r.By = by
		r.Vertices, r.Signals = s.Y.Dims()
		r.Edges = known.Edges()
		if r.Outcome, err = m.learnBy(ctx, s, known, by, penalty); err != nil {
			return err
		}
		fmt.Fprintln(m.Log, r.sentence(j))
		if results == "" {
			continue
		}
		if err := keep(results, r); err != nil {
			return err
		}
	}
	return nil
}

// learnBy lets one of ours learn, or another program, with the penalty that the truth likes best.
func (m Measurement) learnBy(ctx context.Context, s *signals.Set, known records.Target, by string, penalty func() (float64, error)) (Outcome, error) {
	if slices.Contains(ours, by) {
		return m.learn(ctx, s, known, by)
	}
	rho, err := penalty()
	if err != nil {
		return Outcome{}, err
	}
	return m.rival(ctx, s, known.(records.Truth).Graph, by, rho)
}

func (r Record) sentence(j job) string {
	text := fmt.Sprintf("%s, %s: ", strings.Join(j.words(), " "), r.By)
	if r.Failed != "" {
		return text + r.Failed
	}
	return text + fmt.Sprintf("F1 %.4f, %d of %d edges right; %.1f CPU s, %.0f MB %s", r.F1(), r.Right, r.Found, r.Seconds, r.Memory, r.Verdict)
}

// ours are the learners of this module.
var ours = []string{Default, WithoutConfidence, Local, Dense}

func optionsOf(by string) nervure.Options {
	switch by {
	case WithoutConfidence:
		return nervure.Options{Confidence: nervure.No}
	case Local:
		return nervure.Options{Method: baseline.Field{Order: 1, Engine: 1}, Structure: nervure.No, Confidence: nervure.No}
	case Dense:
		return nervure.Options{Method: baseline.Field{Order: 1, Engine: 2}, Structure: nervure.No, Confidence: nervure.No}
	}
	return nervure.Options{}
}

// collectorPercent is what the command sets for signals of this size.
const collectorPercent = 15

// learn learns as one of ours, and measures what that takes.
func (m Measurement) learn(ctx context.Context, s *signals.Set, known records.Target, by string) (Outcome, error) {
	o := optionsOf(by)
	o.Threads = m.Threads
	defer debug.SetGCPercent(debug.SetGCPercent(collectorPercent))
	debug.FreeOSMemory()
	memory.WatchPeak()
	before, _ := memory.Peak()
	begin, err := run.CPUTime()
	if err != nil {
		return Outcome{}, err
	}
	a, err := nervure.Learn(ctx, s, o)
	if err != nil {
		return Outcome{}, err
	}
	end, err := run.CPUTime()
	if err != nil {
		return Outcome{}, err
	}
	peak, _ := memory.Peak()
	edges := a.Graph.Edges()
	got := Outcome{
		Found: len(edges), Right: known.Right(edges), Wrong: wrongSigns(edges, known),
		Seconds: rounded((end - begin).Seconds()), Memory: rounded(float64(peak-before) / 1e6),
		Method: a.Options.Method.Name(),
	}
	if by == Default {
		sure := records.SureEdges(a.Graph)
		got.Sure, got.SureTrue, got.Verdict = len(sure), known.Right(sure), string(a.Verdict.Grade)
	}
	if fit := baseline.FieldFitOf(a.Result); fit != nil {
		got.Kernel = fit.Kernel
		if fit.Local != nil {
			got.Sampled, got.Exact = fit.Local.Sampled, fit.Local.Exact
		}
	}
	return got, nil
}

func rounded(v float64) float64 { return math.Round(100*v) / 100 }

// wrongSigns counts the true edges that were found with the other sign, if signs are known.
func wrongSigns(found []graph.Edge, known records.Target) (count int) {
	g, is := known.(records.Truth)
	if !is {
		return 0
	}
	weights := map[[2]int]float64{}
	for _, e := range g.Graph.Edges() {
		weights[[2]int{e.I, e.J}] = e.Weight
	}
	for _, e := range found {
		if w := weights[[2]int{e.I, e.J}]; w*e.Weight < 0 {
			count++
		}
	}
	return count
}
