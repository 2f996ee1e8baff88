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
	var done []Record
	if results != "" {
		var err error
		if done, err = ReadRecords(results); err != nil {
			return err
		}
	}
	jobs, err := m.jobs()
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if m.Missing && slices.ContainsFunc(done, func(r Record) bool { return order(r, j.record) == 0 }) {
			continue
		}
		r, err := m.measure(ctx, j)
		if err != nil {
			return fmt.Errorf("%s: %w", j.name(), err)
		}
		fmt.Fprintln(m.Log, r.sentence(j.name()))
		if results == "" {
			continue
		}
		if err := keep(results, r); err != nil {
			return err
		}
	}
	return nil
}

// A job is a field or a set to be learned from.
type job struct {
	record Record // what is known beforehand
	words  []string
	read   func() (*nervure.Signals, target, error)
}

func (j job) name() string { return strings.Join(j.words, " ") }

// A target is what is known about the graph of a job.
type target interface {
	Edges() int                   // the true ones; zero if only groups are known
	Right(edges []graph.Edge) int // how many are true, or inside a group
}

// A truth is a known graph.
type truth struct{ *graph.Graph }

func (t truth) Edges() int { return t.EdgeCount() }

func (t truth) Right(edges []graph.Edge) (count int) {
	for _, e := range edges {
		if t.HasEdge(e.I, e.J) {
			count++
		}
	}
	return count
}

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
				read: func() (*nervure.Signals, target, error) {
					drawn, err := s.draw(seed)
					if err != nil {
						return nil, nil, err
					}
					return &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names()}, truth{drawn.Graph}, nil
				},
			})
		}
	}
	sets, err := m.sets()
	all = slices.DeleteFunc(append(all, sets...), func(j job) bool { return !m.wants(j) })
	if err == nil && len(all) == 0 {
		err = errors.New("nothing to measure has all these words")
	}
	return all, err
}

// wants reports whether a job was asked for.
func (m Measurement) wants(j job) bool {
	return m.Only == nil || slices.ContainsFunc(m.Only, func(words string) bool {
		return !slices.ContainsFunc(strings.Fields(words), func(word string) bool { return !slices.Contains(j.words, word) })
	})
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
		r.Known, err = m.byTrueSpectrum(ctx, s, known.(truth), r.Setting)
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
func (m Measurement) learn(ctx context.Context, s *nervure.Signals, known target, o nervure.Options, to *Outcome) (*nervure.Analysis, error) {
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
