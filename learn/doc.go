// Package learn finds the graph on which signals are sparse ([maretic2017]): it
// minimises
//
//	‖Y − D(L)·X‖²_F + β‖W‖₁   over W ≥ 0 and codes X with at most T₀ entries per column
//
// by alternating sparse coding and updates of the edge weights. [Sparse] is the method
// that does so quickly and exactly, without step size or penalty; [Fit] is the same as a
// function and [Steps] as a loop over the steps. [Maretic2017] is the paper's own
// algorithm, to the letter. [KernelSteps] learns the kernels of a graph that is known.
//
// This package is the face: methods, options and results. What works is in packages of
// their own, from the lowest up:
//
//   - optimise: quasi-Newton steps over w ≥ 0 and quadratic programs;
//   - canonical: signals in an order and a scale that depend on their values alone;
//   - kernelparam: what of kernels can be learned, scales or polynomials;
//   - fitting: weights, codes and residuals, over an engine with whole atoms or one with
//     local atoms, and the losses;
//   - sideinfo: which pairs may have an edge, candidates, initial graph and prior;
//   - job: what an engine is given, its progress, its answer, and checkpoints of both;
//   - ongraph: kernels on a graph that is known;
//   - dense, large and maretic: the three searches for a graph.
package learn
