// Package nervure learns the graph behind a set of signals. This directory
// holds no code; the library is in the packages below it:
//
//   - graph: the weighted undirected graph, its Laplacians, and how to cut it
//   - kernel: spectral kernels as polynomials on [0, 2]
//   - dictionary: the atoms a graph and its kernels generate, and their
//     derivative with respect to the edge weights
//   - sparse: sparse codes of signals over a dictionary
//   - learn: the graph on which given signals are sparse
//   - baseline: other methods, to use and to compare with
//   - synth: random graphs and sparse signals on them, with known truth
//   - metrics: how near a learned graph is to a true one
//   - dataio: signals and graphs on disk
//   - solver: how iterative runs end and report
//
// The command line tool is cmd/nervure. docs/notation.md gives the name in code
// of each symbol in the mathematics.
package nervure
