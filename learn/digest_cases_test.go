package learn_test

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

func digestCases() []digestCase {
	return slices.Concat(plantedDigests(), sideInformationDigests(), kernelDigests(), givenDigests())
}

// drawDigest draws a planted problem.
func drawDigest(t *testing.T, g synth.GraphSpec, s synth.SignalSpec, kernels []kernel.Kernel) *synth.Truth {
	t.Helper()
	g.Seed, s.Seed = digestSeed, digestSeed
	truth, err := synth.Generate(g, kernels, s)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// digestTruth is a planted problem of few vertices.
func digestTruth(t *testing.T, signals int, noise float64) *synth.Truth {
	t.Helper()
	return drawDigest(t, synth.GraphSpec{Family: synth.FamilyER, Vertices: 20}, synth.SignalSpec{Count: signals, Sparsity: 3, Noise: noise}, learn.PaperModel().Kernels)
}

// chebyshevTruth has signals that Taylor polynomials do not quite explain.
func chebyshevTruth(t *testing.T) *synth.Truth {
	t.Helper()
	return drawDigest(t, synth.GraphSpec{Family: synth.FamilyER, Vertices: 20}, synth.SignalSpec{Count: 200, Sparsity: 3}, kernelsOf(t, "heat:2", "highpass:1"))
}

// plantedDigests are planted problems under all engines, recipes and cuts.
func plantedDigests() []digestCase {
	exact := func(t *testing.T) *mat.Dense { t.Helper(); return digestTruth(t, 200, 0).Signals }
	noisy := func(t *testing.T) *mat.Dense { t.Helper(); return digestTruth(t, 120, 0.3).Signals }
	few := func(t *testing.T) *mat.Dense { t.Helper(); return digestTruth(t, 20, 0.3).Signals }
	repeating := func(t *testing.T) *mat.Dense { t.Helper(); return repeated(exact(t), 3, 200, true) }
	missing := func(t *testing.T) *mat.Dense { t.Helper(); return losing(exact(t), 0.1, digestSeed) }
	hardlyMissing := func(t *testing.T) *mat.Dense { t.Helper(); return losing(exact(t), 0.02, digestSeed) }
	spikes := func(*testing.T) *mat.Dense {
		y := mat.NewDense(8, 60, nil)
		for s := range 60 {
			y.Set(s%8, s, 1+float64(s)/7)
			y.Set((3*s+1)%8, s, 2-float64(s)/9)
		}
		return y
	}
	nearly := func(t *testing.T) *mat.Dense { t.Helper(); return chebyshevTruth(t).Signals }
	outliers := func(t *testing.T) *mat.Dense { // two signals that are not of the graph
		t.Helper()
		y := mat.DenseCopyOf(exact(t))
		n, m := y.Dims()
		for i := range n {
			y.Set(i, 3, y.At((i+5)%n, (i+9)%m))
			y.Set(i, 8, y.At((i+7)%n, (i+2)%m))
		}
		return y
	}
	noisyMissing := func(t *testing.T) *mat.Dense { t.Helper(); return losing(noisy(t), 0.15, digestSeed) }
	lowPass := func(t *testing.T) *mat.Dense {
		t.Helper()
		return drawDigest(t, synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 16}, synth.SignalSpec{Count: 150, Sparsity: 3}, model3("heat:2", "heat:1").Kernels).Signals
	}
	grid := func(t *testing.T) *mat.Dense {
		t.Helper()
		return drawDigest(t, synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 16}, synth.SignalSpec{Count: 90, Sparsity: 8, Noise: 0.1}, model3("heat:2").Kernels).Signals
	}
	odd := func(t *testing.T) *mat.Dense { // a vertex that never varies, one that is never seen, a signal that is zero
		t.Helper()
		y := mat.DenseCopyOf(exact(t))
		for s, m := 0, y.RawMatrix().Cols; s < m; s++ {
			y.Set(2, s, 1.5)
			y.Set(5, s, math.NaN())
		}
		for i := range y.RawMatrix().Rows {
			y.Set(i, 7, 0)
		}
		return y
	}
	large := func(t *testing.T) *mat.Dense {
		t.Helper()
		return drawDigest(t, synth.GraphSpec{Family: synth.FamilyBA, Vertices: 450}, synth.SignalSpec{Count: 350, Sparsity: 3, Noise: 0.01}, learn.PaperModel().Kernels).Signals
	}
	uneven := func(t *testing.T) *mat.Dense { t.Helper(); return unevenTruth(t, digestSeed, 0).Signals }
	paper := learn.Model{Kernels: learn.PaperModel().Kernels, Sparsity: 3}
	unknownSparsity := learn.Model{Kernels: paper.Kernels}
	some := func(o learn.Options) func(*mat.Dense) learn.Options {
		return func(*mat.Dense) learn.Options { return o }
	}
	edges, threshold := graph.Cut{Rule: graph.CutEdges, Edges: 25}, graph.Cut{Rule: graph.CutThreshold, Threshold: 0.2}
	return []digestCase{
		{"exact", exact, learned(paper, some(learn.Options{}))},
		{"exact, atoms chosen", exact, learned(unknownSparsity, some(learn.Options{}))},
		{"exact, by number", exact, learned(paper, some(learn.Options{Cut: edges}))},
		{"exact, maretic2017", exact, learnedBy(fitPaper, paper, some(learn.Options{Rounds: 80, Seed: 5}))},
		{"exact, by threshold", exact, learned(paper, some(learn.Options{Cut: threshold}))},
		{"exact, above everything", exact, learned(paper, some(learn.Options{Cut: graph.Cut{Rule: graph.CutThreshold, Threshold: 1e9}, LargeFrom: 2}))},
		{"exact, three rounds", exact, learned(paper, some(learn.Options{Rounds: 3, Starts: 2}))},
		{"exact, large, one round", exact, learned(paper, some(learn.Options{Rounds: 1, LargeFrom: 2}))},
		{"nearly exact", nearly, learned(paper, some(learn.Options{}))},
		{"nearly exact, atoms chosen", nearly, learned(unknownSparsity, some(learn.Options{}))},
		{"nearly exact, by number", nearly, learned(paper, some(learn.Options{Cut: edges}))},
		{"outliers", outliers, learned(paper, some(learn.Options{}))},
		{"a kernel that does not see the graph", spikes, learned(model3("poly:1"), some(learn.Options{}))},
		{"repeated signals", repeating, learned(paper, some(learn.Options{}))},
		{"few signals", few, learned(paper, some(learn.Options{}))},
		{"hardly missing", hardlyMissing, learned(unknownSparsity, some(learn.Options{}))},
		{"exact, large", exact, learned(paper, some(learn.Options{LargeFrom: 2}))},
		{"exact, mp", exact, learned(paper, some(learn.Options{Coder: sparse.MP, Rounds: 8}))},
		{"missing", missing, learned(paper, some(learn.Options{}))},
		{"missing, large", missing, learned(paper, some(learn.Options{LargeFrom: 2}))},
		{"missing, maretic2017", missing, learnedBy(fitPaper, paper, some(learn.Options{Rounds: 20}))},
		{"missing and noisy", noisyMissing, learned(unknownSparsity, some(learn.Options{Seed: 2}))},
		{"noisy", noisy, learned(paper, some(learn.Options{}))},
		{"noisy, atoms chosen", noisy, learned(unknownSparsity, some(learn.Options{Seed: 3}))},
		{"noisy, by number", noisy, learned(paper, some(learn.Options{Cut: edges}))},
		{"noisy, by threshold", noisy, learned(paper, some(learn.Options{Cut: threshold}))},
		{"noisy, large", noisy, learned(paper, some(learn.Options{LargeFrom: 2}))},
		{"noisy, large, by number", noisy, learned(paper, some(learn.Options{LargeFrom: 2, Cut: edges}))},
		{"noisy, maretic2017, by threshold", noisy, learnedBy(fitPaper, paper, some(learn.Options{Rounds: 80, Cut: threshold}))},
		{"noisy, without common mode", noisy, learned(paper, some(learn.Options{RemoveCommonMode: true}))},
		{"two low-pass kernels", lowPass, learned(model3("heat:2", "heat:1"), some(learn.Options{}))},
		{"low-pass, nothing given", grid, learned(learn.Model{}, some(learn.Options{Seed: 4}))},
		{"vertices set aside", odd, learned(paper, some(learn.Options{}))},
		{"weights of many sizes", uneven, learned(learn.PaperModel(), some(learn.Options{}))},
		{"450 vertices", large, learned(paper, some(learn.Options{Threads: 2}))},
	}
}

// model3 returns a model of three atoms per signal.
func model3(specs ...string) learn.Model {
	m := learn.Model{Sparsity: 3}
	for _, spec := range specs {
		k, err := kernel.Parse(spec, 15, kernel.Taylor)
		if err != nil {
			panic(err)
		}
		m.Kernels = append(m.Kernels, k)
	}
	return m
}

// sideInformationDigests are problems of which something is known beside the signals.
func sideInformationDigests() []digestCase {
	var cases []digestCase
	for _, engine := range []struct {
		name string
		from int
	}{{"dense", 0}, {"large", 2}} {
		for _, c := range []struct {
			name    string
			signals int
			noise   float64
			options func(t *testing.T, truth *graph.Graph) learn.Options
		}{
			{"prior", 18, 0, func(t *testing.T, truth *graph.Graph) learn.Options {
				t.Helper()
				return learn.Options{Prior: rewired(t, truth, 0.2, digestSeed)}
			}},
			{"prior and noise", 60, 0.3, func(t *testing.T, truth *graph.Graph) learn.Options {
				t.Helper()
				return learn.Options{Prior: rewired(t, truth, 0.2, digestSeed), PriorWeight: 20, Starts: 2}
			}},
			{"init and prior, true", 120, 0, func(t *testing.T, truth *graph.Graph) learn.Options {
				t.Helper()
				return learn.Options{Init: truth, Prior: truth}
			}},
			{"prior of some vertices", 30, 0.1, func(t *testing.T, truth *graph.Graph) learn.Options {
				t.Helper()
				known, err := graph.New(truth.Names(), slices.DeleteFunc(truth.Edges(), func(e graph.Edge) bool { return e.I < 3 }))
				if err != nil {
					t.Fatal(err)
				}
				return learn.Options{Prior: known, Init: known, Starts: 2}
			}},
			{"init", 60, 0, func(t *testing.T, truth *graph.Graph) learn.Options {
				t.Helper()
				return learn.Options{Init: rewired(t, truth, 0.3, digestSeed)}
			}},
			{"allow and forbid", 60, 0, func(t *testing.T, truth *graph.Graph) learn.Options {
				t.Helper()
				wrong := others(truth, 50, digestSeed)
				return learn.Options{Allow: slices.Concat(pairs(truth), wrong), Forbid: slices.Concat(pairs(truth)[:2], wrong[30:]), Starts: 2}
			}},
		} {
			cases = append(cases, digestCase{
				engine.name + ", " + c.name,
				func(t *testing.T) *mat.Dense { t.Helper(); return digestTruth(t, c.signals, c.noise).Signals },
				func(t *testing.T, y *mat.Dense) answerParts {
					t.Helper()
					o := c.options(t, digestTruth(t, c.signals, c.noise).Graph)
					o.LargeFrom = engine.from
					return digestResult(fit(t, y, learn.Model{Kernels: learn.PaperModel().Kernels, Sparsity: 3}, o))
				},
			})
		}
	}
	return append(cases, digestCase{
		"maretic2017, init",
		func(t *testing.T) *mat.Dense { t.Helper(); return digestTruth(t, 60, 0).Signals },
		func(t *testing.T, y *mat.Dense) answerParts {
			t.Helper()
			o := learn.Options{Rounds: 40, Init: rewired(t, digestTruth(t, 60, 0).Graph, 0.2, digestSeed)}
			return digestResult(fitPaper(t, y, learn.PaperModel(), o))
		},
	})
}

// kernelDigests are kernels learned with the graph and on a known one.
func kernelDigests() []digestCase {
	signals := func(count int, noise float64) func(t *testing.T) *mat.Dense {
		return func(t *testing.T) *mat.Dense { t.Helper(); return digestTruth(t, count, noise).Signals }
	}
	with := func(o learn.Options) func(*mat.Dense) learn.Options {
		return func(*mat.Dense) learn.Options { return o }
	}
	planted := func(noise float64) func(t *testing.T) *synth.Truth {
		return func(t *testing.T) *synth.Truth { t.Helper(); return digestTruth(t, 80, noise) }
	}
	onKnown := func(name string, truth func(t *testing.T) *synth.Truth, lost float64, options func(t *testing.T) learn.KernelOptions) digestCase {
		signals := func(t *testing.T) *mat.Dense { t.Helper(); return truth(t).Signals }
		return digestCase{"known graph, " + name, signals, func(t *testing.T, y *mat.Dense) answerParts {
			t.Helper()
			r, err := fitKernels(t.Context(), truth(t).Graph, losing(y, lost, digestSeed), options(t))
			if err != nil {
				t.Fatal(err)
			}
			var history, choice []any
			for _, s := range r.History {
				history = append(history, string(s.Phase), s.Count, s.Start, s.Round, s.Residual)
			}
			for _, s := range r.Choice {
				choice = append(choice, s.Kernels, s.Residual, s.Cost, s.StandardError)
			}
			return answerParts{
				"kernels": digest(r.Kernels), "codes": digest(r.Codes), "history": digest(history...), "choice": digest(choice...),
				"numbers": digest(r.Residual, r.Rounds, r.Starts, string(r.Status), len(r.Warnings)),
			}
		}}
	}
	scaled := func(t *testing.T) learn.KernelOptions {
		t.Helper()
		return learn.KernelOptions{Kernels: kernelsOf(t, "heat:1", "highpass:2"), Sparsity: 3}
	}
	other := model3("heat:1", "highpass:2")
	otherScales := func(t *testing.T) *mat.Dense {
		t.Helper()
		return drawDigest(t, synth.GraphSpec{Family: synth.FamilyER, Vertices: 20}, synth.SignalSpec{Count: 200, Sparsity: 3}, other.Kernels).Signals
	}
	chebyshev := func(t *testing.T) *mat.Dense { t.Helper(); return chebyshevTruth(t).Signals }
	missing := func(t *testing.T) *mat.Dense {
		t.Helper()
		return losing(digestTruth(t, 80, 0.3).Signals, 0.1, digestSeed)
	}
	return []digestCase{
		{"kernels auto, exact", signals(120, 0), learned(learn.Model{}, with(learn.Options{}))},
		{"kernels auto, noisy", signals(100, 0.4), learned(learn.Model{}, with(learn.Options{Starts: 1}))},
		{"kernels scaled, exact", signals(120, 0), learned(other, with(learn.Options{Kernels: learn.KernelsScaled}))},
		{"kernels scaled, noisy", signals(100, 0.2), learned(learn.Model{Kernels: other.Kernels}, with(learn.Options{Kernels: learn.KernelsScaled}))},
		{"kernels free", signals(80, 0.05), learned(learn.Model{Sparsity: 3}, with(learn.Options{Kernels: learn.KernelsFree, KernelCount: 2, Starts: 2}))},
		{"kernels auto, other scales", otherScales, learned(learn.Model{}, with(learn.Options{}))},
		{"kernels auto, missing", missing, learned(learn.Model{}, with(learn.Options{Starts: 1, Rounds: 15}))},
		{"kernels scaled, one without scale", signals(80, 0.1), learned(model3("heat:1", "poly:0,1,-0.3"), with(learn.Options{Kernels: learn.KernelsScaled, Starts: 1}))},
		{"kernels scaled, nearly exact", chebyshev, learned(other, with(learn.Options{Kernels: learn.KernelsScaled, Starts: 1}))},
		{"kernels free, nearly exact", signals(120, 0), learned(learn.Model{Sparsity: 3}, with(learn.Options{Kernels: learn.KernelsFree, KernelCount: 2, KernelDegree: 12, Starts: 1}))},
		{"kernels free, exact", chebyshev, learned(learn.Model{Sparsity: 3}, with(learn.Options{Kernels: learn.KernelsFree, KernelCount: 2}))},
		{"kernels free, exact, count chosen", chebyshev, learned(learn.Model{}, with(learn.Options{Kernels: learn.KernelsFree}))},
		{"kernels free, few signals", signals(18, 0.1), learned(learn.Model{Sparsity: 3}, with(learn.Options{Kernels: learn.KernelsFree, KernelCount: 0, Starts: 1, Rounds: 8}))},
		{"kernels free, count chosen", signals(60, 0.05), learned(learn.Model{}, with(learn.Options{Kernels: learn.KernelsFree, Starts: 1, Rounds: 12}))},
		onKnown("free kernels, count chosen", planted(0.05), 0, func(*testing.T) learn.KernelOptions { return learn.KernelOptions{Seed: 3, Sparsity: 3} }),
		onKnown("free kernels of a sum", planted(0), 0, func(*testing.T) learn.KernelOptions {
			return learn.KernelOptions{Count: 2, Sparsity: 3, Sum: 1, Slack: 0.2, Starts: 1}
		}),
		onKnown("scales, three rounds", planted(0.1), 0, func(t *testing.T) learn.KernelOptions {
			t.Helper()
			return learn.KernelOptions{Kernels: kernelsOf(t, "heat:1", "poly:0,1,-0.3"), Rounds: 3}
		}),
		onKnown("scales, exact", chebyshevTruth, 0, scaled),
		onKnown("scales, missing values", planted(0), 0.1, scaled),
		{"predict", signals(60, 0.1), func(t *testing.T, y *mat.Dense) answerParts {
			t.Helper()
			truth := digestTruth(t, 60, 0.1)
			m := learn.Model{Kernels: learn.PaperModel().Kernels, Sparsity: 3}
			filled := filledIn(t, truth.Graph, m, losing(y, 0.1, digestSeed))
			n, signals := y.Dims()
			h, err := learn.CodeHeldOut(truth.Graph, m, mat.DenseCopyOf(y.Slice(0, n, 0, 40)), losing(mat.DenseCopyOf(y.Slice(0, n, 40, signals)), 0.05, 1), 1)
			if err != nil {
				t.Fatal(err)
			}
			return answerParts{"filled": digest(filled), "held out": digest(h.Energy, h.Residual, h.Error, h.MeanError)}
		}},
	}
}

// givenDigests are the samples, the published instances and measured signals.
func givenDigests() []digestCase {
	nothing := func(*mat.Dense) learn.Options { return learn.Options{} }
	oneStart := func(*mat.Dense) learn.Options { return learn.Options{Starts: 1} }
	cases := []digestCase{
		{"leaf", sample("leaf", 0), learned(learn.Model{}, nothing)},
		{"leaf, maretic2017", sample("leaf", 0), learnedBy(fitPaper, learn.PaperModel(), func(*mat.Dense) learn.Options {
			return learn.Options{Rounds: 60}
		})},
		{"molene", sample("molene", 100), learned(learn.Model{}, oneStart)},
		{"molene, large", sample("molene", 300), learned(learn.Model{}, func(*mat.Dense) learn.Options { return learn.Options{LargeFrom: 2} })},
	}
	for _, name := range []string{"N20/Y_1", "N20/Y_2", "N20/Y_3", "N50/Y_1", "N50/Y_2", "N100/Y_1"} {
		cases = append(cases, digestCase{"instance " + name, func(t *testing.T) *mat.Dense {
			t.Helper()
			y, err := dataio.ReadMatrix(filepath.Join(sharedData, "instances", filepath.FromSlash(name)+".csv"))
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				t.Fatal(err)
			}
			return y
		}, learned(learn.PaperModel(), nothing)})
	}
	for _, c := range []struct {
		name    string
		signals int
	}{{"sachs", 120}, {"danube", 80}, {"chickenpox", 100}, {"animals", 60}} {
		cases = append(cases, digestCase{c.name, measured(c.name, c.signals), learned(learn.Model{}, oneStart)})
	}
	return append(cases,
		digestCase{"stocks, large", measured("stocks", 200), learned(learn.Model{}, func(*mat.Dense) learn.Options { return learn.Options{LargeFrom: 2} })},
		digestCase{"metr_la, large", measured("metr_la", 150), learned(learn.Model{}, func(*mat.Dense) learn.Options { return learn.Options{LargeFrom: 2} })})
}

// firstSignals returns the first signals of y, all if count is zero.
func firstSignals(y *mat.Dense, count int) *mat.Dense {
	n, m := y.Dims()
	if count == 0 || count >= m {
		return y
	}
	return mat.DenseCopyOf(y.Slice(0, n, 0, count))
}

// sample returns signals of an example.
func sample(name string, count int) func(t *testing.T) *mat.Dense {
	return func(t *testing.T) *mat.Dense {
		t.Helper()
		f, err := examples.Open(name, examples.Signals)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := dataio.DecodeSignals(f, name, dataio.ReadOptions{Format: dataio.CSV})
		if err != nil {
			t.Fatal(err)
		}
		return firstSignals(s.Y, count)
	}
}

// measured returns signals of a real data set.
func measured(name string, count int) func(t *testing.T) *mat.Dense {
	return func(t *testing.T) *mat.Dense {
		t.Helper()
		s, err := dataio.ReadSignals(filepath.Join(sharedData, "data", name, "signals.csv"), dataio.ReadOptions{})
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return firstSignals(s.Y, count)
	}
}

// learned learns from the signals of a case. The options may depend on them.
func learned(m learn.Model, options func(y *mat.Dense) learn.Options) func(t *testing.T, y *mat.Dense) answerParts {
	return learnedBy(fit, m, options)
}

// learnedBy is learned by one of both methods.
func learnedBy(fit func(testing.TB, *mat.Dense, learn.Model, learn.Options) *learn.Result, m learn.Model, options func(y *mat.Dense) learn.Options) func(t *testing.T, y *mat.Dense) answerParts {
	return func(t *testing.T, y *mat.Dense) answerParts {
		t.Helper()
		r := fit(t, y, m, options(y))
		parts := digestResult(r)
		rest, _ := r.RemoveCommonMode(y)
		parts["signals"] = digest(rest)
		return parts
	}
}
