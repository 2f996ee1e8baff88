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

// learned learns from signals, and byPaper does by the paper's algorithm.
func learned(name string, y *mat.Dense, m learn.Model, o learn.Options) digestCase {
	return learnedBy(fit, name, y, m, o)
}

func byPaper(name string, y *mat.Dense, m learn.Model, o learn.Options) digestCase {
	return learnedBy(fitPaper, name, y, m, o)
}

func learnedBy(fit func(testing.TB, *mat.Dense, learn.Model, learn.Options) *learn.Result, name string, y *mat.Dense, m learn.Model, o learn.Options) digestCase {
	return digestCase{name, y != nil, func(t *testing.T) answerParts {
		t.Helper()
		r := fit(t, y, m, o)
		parts := digestResult(r)
		rest, _ := r.RemoveCommonMode(y)
		parts["signals"] = digest(rest)
		return parts
	}}
}

// drawDigest draws a planted problem.
func drawDigest(g synth.GraphSpec, s synth.SignalSpec, kernels []kernel.Kernel) *synth.Truth {
	g.Seed, s.Seed = digestSeed, digestSeed
	return must(synth.Generate(g, kernels, s))
}

// digestTruth is a planted problem of few vertices.
func digestTruth(signals int, noise float64, kernels ...kernel.Kernel) *synth.Truth {
	if kernels == nil {
		kernels = learn.PaperModel().Kernels
	}
	return drawDigest(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20}, synth.SignalSpec{Count: signals, Sparsity: 3, Noise: noise}, kernels)
}

// chebyshevTruth has signals that Taylor polynomials do not quite explain.
func chebyshevTruth() *synth.Truth { return digestTruth(200, 0, kernelsOf("heat:2", "highpass:1")...) }

// paper3 are the paper's kernels, and three atoms per signal.
func paper3() learn.Model { return learn.Model{Kernels: learn.PaperModel().Kernels, Sparsity: 3} }

// Signals of the digests that are not as they were drawn.

// spiked are a few values each, on no graph.
func spiked() *mat.Dense {
	y := mat.NewDense(8, 60, nil)
	for s := range 60 {
		y.Set(s%8, s, 1+float64(s)/7)
		y.Set((3*s+1)%8, s, 2-float64(s)/9)
	}
	return y
}

// withOutliers has two signals that are not of the graph.
func withOutliers(exact *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(exact)
	n, m := y.Dims()
	for i := range n {
		y.Set(i, 3, y.At((i+5)%n, (i+9)%m))
		y.Set(i, 8, y.At((i+7)%n, (i+2)%m))
	}
	return y
}

// withOdd has a vertex that never varies, one that is never seen, and a signal that is zero.
func withOdd(exact *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(exact)
	n, m := y.Dims()
	for s := range m {
		y.Set(2, s, 1.5)
		y.Set(5, s, math.NaN())
	}
	for i := range n {
		y.Set(i, 7, 0)
	}
	return y
}

// plantedDigests are planted problems under all engines, recipes and cuts.
func plantedDigests() []digestCase {
	exact, noisy, nearly := digestTruth(200, 0).Signals, digestTruth(120, 0.3).Signals, chebyshevTruth().Signals
	missing, lowPass := losing(exact, 0.1, digestSeed), model3("heat:2", "heat:1")
	smooth := drawDigest(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 16}, synth.SignalSpec{Count: 150, Sparsity: 3}, lowPass.Kernels)
	grid := drawDigest(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 16}, synth.SignalSpec{Count: 90, Sparsity: 8, Noise: 0.1}, model3("heat:2").Kernels)
	many := drawDigest(synth.GraphSpec{Family: synth.FamilyBA, Vertices: 450}, synth.SignalSpec{Count: 350, Sparsity: 3, Noise: 0.01}, learn.PaperModel().Kernels)
	paper, unknownSparsity := paper3(), learn.Model{Kernels: learn.PaperModel().Kernels}
	edges, threshold := graph.Cut{Rule: graph.CutEdges, Edges: 25}, graph.Cut{Rule: graph.CutThreshold, Threshold: 0.2}
	absurd := graph.Cut{Rule: graph.CutThreshold, Threshold: 1e9}
	return []digestCase{
		learned("exact", exact, paper, learn.Options{}),
		learned("exact, atoms chosen", exact, unknownSparsity, learn.Options{}),
		learned("exact, by number", exact, paper, learn.Options{Cut: edges}),
		byPaper("exact, maretic2017", exact, paper, learn.Options{Rounds: 80, Seed: 5}),
		learned("exact, by threshold", exact, paper, learn.Options{Cut: threshold}),
		learned("exact, above everything", exact, paper, learn.Options{Cut: absurd, LargeFrom: 2}),
		learned("exact, three rounds", exact, paper, learn.Options{Rounds: 3, Starts: 2}),
		learned("exact, large, one round", exact, paper, learn.Options{Rounds: 1, LargeFrom: 2}),
		learned("nearly exact", nearly, paper, learn.Options{}),
		learned("nearly exact, atoms chosen", nearly, unknownSparsity, learn.Options{}),
		learned("nearly exact, by number", nearly, paper, learn.Options{Cut: edges}),
		learned("outliers", withOutliers(exact), paper, learn.Options{}),
		learned("a kernel that does not see the graph", spiked(), model3("poly:1"), learn.Options{}),
		learned("repeated signals", repeated(exact, 3, 200, true), paper, learn.Options{}),
		learned("few signals", digestTruth(20, 0.3).Signals, paper, learn.Options{}),
		learned("hardly missing", losing(exact, 0.02, digestSeed), unknownSparsity, learn.Options{}),
		learned("exact, large", exact, paper, learn.Options{LargeFrom: 2}),
		learned("exact, mp", exact, paper, learn.Options{Coder: sparse.MP, Rounds: 8}),
		learned("missing", missing, paper, learn.Options{}),
		learned("missing, large", missing, paper, learn.Options{LargeFrom: 2}),
		byPaper("missing, maretic2017", missing, paper, learn.Options{Rounds: 20}),
		learned("missing and noisy", losing(noisy, 0.15, digestSeed), unknownSparsity, learn.Options{Seed: 2}),
		learned("noisy", noisy, paper, learn.Options{}),
		learned("noisy, atoms chosen", noisy, unknownSparsity, learn.Options{Seed: 3}),
		learned("noisy, by number", noisy, paper, learn.Options{Cut: edges}),
		learned("noisy, by threshold", noisy, paper, learn.Options{Cut: threshold}),
		learned("noisy, large", noisy, paper, learn.Options{LargeFrom: 2}),
		learned("noisy, large, by number", noisy, paper, learn.Options{LargeFrom: 2, Cut: edges}),
		byPaper("noisy, maretic2017, by threshold", noisy, paper, learn.Options{Rounds: 80, Cut: threshold}),
		learned("noisy, without common mode", noisy, paper, learn.Options{RemoveCommonMode: true}),
		learned("two low-pass kernels", smooth.Signals, lowPass, learn.Options{}),
		learned("low-pass, nothing given", grid.Signals, learn.Model{}, learn.Options{Seed: 4}),
		learned("vertices set aside", withOdd(exact), paper, learn.Options{}),
		learned("weights of many sizes", unevenTruth(digestSeed, 0).Signals, learn.PaperModel(), learn.Options{}),
		learned("450 vertices", many.Signals, paper, learn.Options{Threads: 2}),
	}
}

// model3 returns a model of three atoms per signal.
func model3(specs ...string) learn.Model { return model(3, specs...) }

// sideInformationDigests are problems of which something is known beside the signals.
func sideInformationDigests() []digestCase {
	var cases []digestCase
	for name, from := range map[string]int{"dense": 0, "large": 2} {
		for _, c := range []struct {
			name    string
			signals int
			noise   float64
			options func(truth *graph.Graph) learn.Options
		}{
			{"prior", 18, 0, func(truth *graph.Graph) learn.Options {
				return learn.Options{Prior: rewired(truth, 0.2, digestSeed)}
			}},
			{"prior and noise", 60, 0.3, func(truth *graph.Graph) learn.Options {
				return learn.Options{Prior: rewired(truth, 0.2, digestSeed), PriorWeight: 20, Starts: 2}
			}},
			{"init and prior, true", 120, 0, func(truth *graph.Graph) learn.Options { return learn.Options{Init: truth, Prior: truth} }},
			{"prior of some vertices", 30, 0.1, func(truth *graph.Graph) learn.Options {
				known := must(graph.New(truth.Names(), slices.DeleteFunc(truth.Edges(), func(e graph.Edge) bool { return e.I < 3 })))
				return learn.Options{Prior: known, Init: known, Starts: 2}
			}},
			{"init", 60, 0, func(truth *graph.Graph) learn.Options { return learn.Options{Init: rewired(truth, 0.3, digestSeed)} }},
			{"allow and forbid", 60, 0, func(truth *graph.Graph) learn.Options {
				wrong := others(truth, 50, digestSeed)
				return learn.Options{Allow: slices.Concat(pairs(truth), wrong), Forbid: slices.Concat(pairs(truth)[:2], wrong[30:]), Starts: 2}
			}},
		} {
			truth := digestTruth(c.signals, c.noise)
			o := c.options(truth.Graph)
			o.LargeFrom = from
			cases = append(cases, digestCase{name + ", " + c.name, true, func(t *testing.T) answerParts {
				t.Helper()
				return digestResult(fit(t, truth.Signals, paper3(), o))
			}})
		}
	}
	truth := digestTruth(60, 0)
	o := learn.Options{Rounds: 40, Init: rewired(truth.Graph, 0.2, digestSeed)}
	return append(cases, digestCase{"maretic2017, init", true, func(t *testing.T) answerParts {
		t.Helper()
		return digestResult(fitPaper(t, truth.Signals, learn.PaperModel(), o))
	}})
}

// onKnownGraph learns kernels on the true graph from signals that have lost a share of their values.
func onKnownGraph(name string, truth *synth.Truth, lost float64, o learn.KernelOptions) digestCase {
	return digestCase{"known graph, " + name, true, func(t *testing.T) answerParts {
		t.Helper()
		r := must(fitKernels(t.Context(), truth.Graph, losing(truth.Signals, lost, digestSeed), o))
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

// predicted predicts values that are missing, and whole signals.
func predicted(t *testing.T) answerParts {
	t.Helper()
	truth, m := digestTruth(60, 0.1), paper3()
	filled := filledIn(t, truth.Graph, m, losing(truth.Signals, 0.1, digestSeed))
	n, signals := truth.Signals.Dims()
	train, test := mat.DenseCopyOf(truth.Signals.Slice(0, n, 0, 40)), mat.DenseCopyOf(truth.Signals.Slice(0, n, 40, signals))
	h := must(learn.CodeHeldOut(truth.Graph, m, train, losing(test, 0.05, 1), 1))
	return answerParts{"filled": digest(filled), "held out": digest(h.Energy, h.Residual, h.Error, h.MeanError)}
}

// kernelDigests are kernels learned with the graph and on a known one.
func kernelDigests() []digestCase {
	signals := func(count int, noise float64) *mat.Dense { return digestTruth(count, noise).Signals }
	planted := func(noise float64) *synth.Truth { return digestTruth(80, noise) }
	scaled := learn.KernelOptions{Kernels: kernelsOf("heat:1", "highpass:2"), Sparsity: 3}
	other, three, none := model3("heat:1", "highpass:2"), learn.Model{Sparsity: 3}, learn.Model{}
	chebyshev, exact := chebyshevTruth().Signals, signals(120, 0)
	scales, free := learn.KernelsScaled, learn.KernelsFree
	return []digestCase{
		learned("kernels auto, exact", exact, none, learn.Options{}),
		learned("kernels auto, noisy", signals(100, 0.4), none, learn.Options{Starts: 1}),
		learned("kernels scaled, exact", exact, other, learn.Options{Kernels: scales}),
		learned("kernels scaled, noisy", signals(100, 0.2), learn.Model{Kernels: other.Kernels}, learn.Options{Kernels: scales}),
		learned("kernels free", signals(80, 0.05), three, learn.Options{Kernels: free, KernelCount: 2, Starts: 2}),
		learned("kernels auto, other scales", digestTruth(200, 0, other.Kernels...).Signals, none, learn.Options{}),
		learned("kernels auto, missing", losing(signals(80, 0.3), 0.1, digestSeed), none, learn.Options{Starts: 1, Rounds: 15}),
		learned("kernels scaled, one without scale", signals(80, 0.1), model3("heat:1", "poly:0,1,-0.3"), learn.Options{Kernels: scales, Starts: 1}),
		learned("kernels scaled, nearly exact", chebyshev, other, learn.Options{Kernels: scales, Starts: 1}),
		learned("kernels free, nearly exact", exact, three, learn.Options{Kernels: free, KernelCount: 2, KernelDegree: 12, Starts: 1}),
		learned("kernels free, exact", chebyshev, three, learn.Options{Kernels: free, KernelCount: 2}),
		learned("kernels free, exact, count chosen", chebyshev, none, learn.Options{Kernels: free}),
		learned("kernels free, few signals", signals(18, 0.1), three, learn.Options{Kernels: free, Starts: 1, Rounds: 8}),
		learned("kernels free, count chosen", signals(60, 0.05), none, learn.Options{Kernels: free, Starts: 1, Rounds: 12}),
		onKnownGraph("free kernels, count chosen", planted(0.05), 0, learn.KernelOptions{Seed: 3, Sparsity: 3}),
		onKnownGraph("free kernels of a sum", planted(0), 0, learn.KernelOptions{Count: 2, Sparsity: 3, Sum: 1, Slack: 0.2, Starts: 1}),
		onKnownGraph("scales, three rounds", planted(0.1), 0, learn.KernelOptions{Kernels: kernelsOf("heat:1", "poly:0,1,-0.3"), Rounds: 3}),
		onKnownGraph("scales, exact", chebyshevTruth(), 0, scaled),
		onKnownGraph("scales, missing values", planted(0), 0.1, scaled),
		{"predict", true, predicted},
	}
}

// givenDigests are the samples, the published instances and measured signals.
func givenDigests() []digestCase {
	none, oneStart, large := learn.Model{}, learn.Options{Starts: 1}, learn.Options{LargeFrom: 2}
	leaf := sample("leaf", 0)
	cases := []digestCase{
		learned("leaf", leaf, none, learn.Options{}),
		byPaper("leaf, maretic2017", leaf, learn.PaperModel(), learn.Options{Rounds: 60}),
		learned("molene", sample("molene", 100), none, oneStart),
		learned("molene, large", sample("molene", 300), none, large),
		learned("sachs", measured("sachs", 120), none, oneStart),
		learned("danube", measured("danube", 80), none, oneStart),
		learned("chickenpox", measured("chickenpox", 100), none, oneStart),
		learned("animals", measured("animals", 60), none, oneStart),
		learned("stocks, large", measured("stocks", 200), none, large),
		learned("metr_la, large", measured("metr_la", 150), none, large),
	}
	for _, name := range []string{"N20/Y_1", "N20/Y_2", "N20/Y_3", "N50/Y_1", "N50/Y_2", "N100/Y_1"} {
		y, err := dataio.ReadMatrix(filepath.Join(sharedData, "instances", filepath.FromSlash(name)+".csv"))
		if !errors.Is(err, fs.ErrNotExist) {
			done(err)
		}
		cases = append(cases, learned("instance "+name, y, learn.PaperModel(), learn.Options{}))
	}
	return cases
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
func sample(name string, count int) *mat.Dense {
	f := must(examples.Open(name, examples.Signals))
	defer f.Close()
	return firstSignals(must(dataio.DecodeSignals(f, name, dataio.ReadOptions{Format: dataio.CSV})).Y, count)
}

// measured returns signals of a real data set, nil if it is not here.
func measured(name string, count int) *mat.Dense {
	s, err := dataio.ReadSignals(filepath.Join(sharedData, "data", name, "signals.csv"), dataio.ReadOptions{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return firstSignals(must(s, err).Y, count)
}
