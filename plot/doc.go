// Package plot draws what there is to see of a learned graph: the graph itself, its
// weights, its atoms, and how it was learned. Every function returns a
// [Drawing], which [Write] writes as SVG, PNG or PDF:
//
//	drawing := plot.Graph("sensors", analysis.Graph, nil)
//	err := plot.Write(w, plot.SVG, plot.Page{}, drawing)
package plot
