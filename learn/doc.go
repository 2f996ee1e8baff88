// Package learn finds the graph on which signals are sparse ([maretic2017]): it
// minimises
//
//	‖Y − D(L)·X‖²_F + β‖W‖₁   over W ≥ 0 and codes X with at most T₀ entries per column
//
// by alternating sparse coding and updates of the edge weights. [Sparse] is the method
// that does so quickly and exactly, without step size or penalty; [Fit] is the same as a
// function and [Steps] as a loop over the steps. [Maretic2017] is the paper's own
// algorithm, to the letter. [FitKernels] learns the kernels of a graph that is known.
//
// Where to find what: the search is in default.go, with the hops, the
// pruning path, the polish, the certificate and reopening in files of these names; large.go has the same
// for large graphs and maretic.go the paper's. Kernels that are learned with the
// graph are in kernels_auto.go, kernels_free.go and what these use. The fit itself
// is in fit.go, over one of the two engines; losses own the weights of the signals.
//
// Inside the package, what ends a run early is an error (progress.go). A value
// that comes with the error of an interruption is the best so far.
package learn
