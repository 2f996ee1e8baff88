package fields

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
)

// A Measurement says what to measure.
type Measurement struct {
	Seeds    []uint64 // of simulated fields; the largest have the first three
	Networks string   // a directory with the sets of python/benchmarks/networks.py; empty for none
	Data     string   // a directory with those of docs/real-data.md; empty for none
	// Only are the settings and sets to measure: those that have all words of one of these,
	// such as "N=100 grid" or "case14"; nil means all.
	Only []string
	// Missing leaves out what has a record already.
	Missing bool
	Threads int // as in [nervure.Options]
	Log     io.Writer
}

// seedsAtMost is how many seeds the largest fields have.
const seedsAtMost = 3

// Measure learns from each field and set, says what came of it, and writes it to a file
// of records, where others stay; to none if the path is empty.
func (m Measurement) Measure(ctx context.Context, results string) error {
	all, err := m.jobs()
	if err != nil {
		return err
	}
	jobs := make([]records.Job[Record], len(all))
	for k, j := range all {
		jobs[k] = records.Job[Record]{Name: j.name(), Record: j.record, Measure: func(ctx context.Context) (Record, string, error) {
			r, err := m.measure(ctx, j)
			return r, r.sentence(j.name()), err
		}}
	}
	return records.Work[Record]{Path: results, Missing: m.Missing, Log: m.Log, Check: Record.check, Order: order}.Do(ctx, jobs)
}

// A job is a field or a set to be learned from.
type job struct {
	record Record // what is known beforehand
	words  []string
	read   func() (*nervure.Signals, records.Target, error)
}

func (j job) name() string { return strings.Join(j.words, " ") }

// jobs returns what was asked for.
func (m Measurement) jobs() ([]job, error) {
	var all []job
	for _, s := range Settings() {
		for k, seed := range m.Seeds {
			if s.Size == slices.Max(Sizes) && k >= seedsAtMost {
				break
			}
			all = append(all, job{
				record: Record{Setting: s, Seed: seed},
				words:  append(s.words(), fmt.Sprintf("seed=%d", seed)),
				read: func() (*nervure.Signals, records.Target, error) {
					drawn, err := s.draw(seed)
					if err != nil {
						return nil, nil, err
					}
					return &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names()}, records.Truth{Graph: drawn.Graph}, nil
				},
			})
		}
	}
	sets, err := m.sets()
	all = slices.DeleteFunc(append(all, sets...), func(j job) bool { return !records.HasAll(j.words, m.Only) })
	if err == nil && len(all) == 0 {
		err = errors.New("nothing to measure has all these words")
	}
	return all, err
}

// measure learns with nothing given, by ggl and, from a simulated field, with the true
// kernel and number of edges.
func (m Measurement) measure(ctx context.Context, j job) (Record, error) {
	r := j.record
	s, known, err := j.read()
	if err != nil {
		return r, err
	}
	r.Vertices, r.Signals = s.Y.Dims()
	r.Edges = known.Edges()
	a, err := m.learn(ctx, s, known, nervure.Options{}, &r.Default)
	if err != nil {
		return r, err
	}
	if _, err := m.learn(ctx, s, known, nervure.Options{Method: baseline.GGL{}, Structure: nervure.No}, &r.GGL); err != nil {
		return r, err
	}
	if slices.Contains(Spectra, r.Kernel) {
		r.Known, err = m.byTrueSpectrum(ctx, s, known.(records.Truth), r.Setting)
		return r, err
	}
	kernel, simulated := trueKernels[r.Kernel]
	if !simulated {
		return r, nil
	}
	r.Chosen = rightKernel(baseline.FieldFitOf(a.Result), r.Kernel)
	var best Outcome
	_, err = m.learn(ctx, s, known, atNumber(kernel, r.Edges), &best)
	r.Known = best.Right
	return r, err
}

// atNumber asks for a number of edges by a method, and for nothing else.
func atNumber(by method.Method, edges int) nervure.Options {
	return nervure.Options{Method: by, Structure: nervure.No, Confidence: nervure.No, Cut: graph.Cut{Rule: graph.CutEdges, Edges: edges}}
}

// learn learns with some options, and tells what came of it.
func (m Measurement) learn(ctx context.Context, s *nervure.Signals, known records.Target, o nervure.Options, to *Outcome) (*nervure.Analysis, error) {
	o.Threads = m.Threads
	before, err := run.CPUTime()
	if err != nil {
		return nil, err
	}
	a, err := nervure.Learn(ctx, s, o)
	if err != nil {
		return nil, err
	}
	after, err := run.CPUTime()
	if err != nil {
		return nil, err
	}
	edges := a.Graph.Edges()
	*to = Outcome{Method: a.Options.Method.Name(), Edges: len(edges), Right: known.Right(edges), Seconds: math.Round(1000*(after-before).Seconds()) / 1000}
	if fit := baseline.FieldFitOf(a.Result); fit != nil {
		to.Kernel = fit.Kernel
	}
	sure := records.SureEdges(a.Graph)
	to.Sure, to.SureTrue = len(sure), known.Right(sure)
	return a, nil
}

// rightKernel reports whether a fit has the true kernel: of all kernels, the nearest to its
// own is the true one, or held-out signals are no less likely by its own than by the true
// one, within a standard error.
func rightKernel(fit *baseline.FieldFit, kernel string) bool {
	if fit == nil {
		return false
	}
	if nearestKernel(fit.Kernel) == kernel {
		return true
	}
	trial := func(name string) *baseline.FieldTrial {
		for k := range fit.Trials {
			if fit.Trials[k].Kernel == name {
				return &fit.Trials[k]
			}
		}
		return nil
	}
	chosen, right := trial(fit.Kernel), trial(kernel)
	return chosen != nil && right != nil && chosen.Gain >= right.Gain-right.StdErr
}

// nearestKernel returns the nearest of Kernels: an order by its ratio.
func nearestKernel(name string) string {
	family, text, _ := strings.Cut(name, ":")
	order, err := strconv.ParseFloat(text, 64)
	if family == heat || err != nil {
		return family
	}
	away := func(kernel string) float64 { return math.Abs(math.Log(trueKernels[kernel].Order / order)) }
	return slices.MinFunc(Kernels[:len(Kernels)-1], func(a, b string) int { return cmp.Compare(away(a), away(b)) })
}

// sentence says what came of a job.
func (r Record) sentence(name string) string {
	text := fmt.Sprintf("%s: F1 %.3f by %s, %.3f by ggl", name, r.F1(r.Default), strings.TrimSpace(r.Default.Method+" "+r.Default.Kernel), r.F1(r.GGL))
	switch {
	case slices.Contains(Spectra, r.Kernel):
		text += fmt.Sprintf(", %.3f if spectrum and number of edges are known", r.KnownF1())
	case r.Set == "":
		text += fmt.Sprintf(", %.3f if kernel and number of edges are known; kernel right: %t", r.KnownF1(), r.Chosen)
	}
	return text + fmt.Sprintf("; %d of %d sure edges true; %.1f s (ggl %.1f)", r.Default.SureTrue, r.Default.Sure, r.Default.Seconds, r.GGL.Seconds)
}
