// Package plot draws what there is to see of a learned graph: the graph itself, its
// weights, its atoms, and how it was learned. Every function returns a
// [figure.Drawing], which figure.Write writes as SVG, PNG or PDF:
//
//	drawing := plot.Graph("sensors", analysis.Graph, nil)
//	err := figure.Write(w, figure.SVG, figure.Page{}, drawing)
package plot
