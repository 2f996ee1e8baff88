// Package plot draws what there is to see of a learned graph: the graph itself, its
// weights, its atoms, and how it was learned. Every function returns a drawing of package
// figure, which writes it as SVG, PNG or PDF.
package plot
