// Package nervure learns the graph behind a set of signals: which vertices are
// connected, and how strongly, from measurements alone.
//
//	set, err := dataio.ReadSignals("signals.csv", dataio.ReadOptions{})
//	…
//	analysis, err := nervure.Learn(ctx, set, nervure.Options{})
//	…
//	fmt.Println(analysis.Verdict)
//	for _, edge := range analysis.Graph.Edges() { … }
//
// [Learn] is the whole pipeline of the command nervure learn: it preprocesses the
// signals where the data call for it, learns the graph, tests whether held-out
// signals show any structure, and gives every edge a confidence. The [Analysis]
// says what was done, how far to trust it ([Verdict]) and what to doubt. [Steps]
// is the same as a loop over the work in progress. [Compare] runs several methods
// on the same signals and recommends one. [LearnKernels] learns kernels on a
// known graph.
//
// The model is that of [maretic2017], Graph Learning under Sparsity Priors: each
// signal is a sum of a few atoms, local patterns that spread along the edges. No
// setting is required; every automatic choice is reported. Other methods keep the
// same contract (package method) and are listed by [Methods].
//
// The same signals, options and seed give the same bytes, whatever the number of
// threads.
//
// The parts can be used on their own: packages prepare, learn, baseline and assess
// are the stages of the pipeline; graph, kernel, dictionary and sparse the
// mathematics below; gsp filters signals on a graph, removes their noise and fills
// their gaps; combine weighs several graphs; dataio reads and writes files; report
// and figure show results; synth and metrics generate problems with known ground
// truth and score results; sample puts such a problem into files.
package nervure
