// Package baseline holds other methods that learn a graph from signals, for use
// in their own right and to hold the sparse learner against: simple graphs of
// correlations and distances, smooth signals ([dong2016], [kalofolias2016]),
// Gaussian models ([friedman2008], [egilmez2017], [ledoit2004]), groups of vertices
// ([celik2014]), diffused signals ([pasdeloup2016], [segarra2017]), directed graphs
// from signals in time ([mei2017]) and the inversion of known kernels. Each is a type under the contract of package method:
//
//	result, err := baseline.Glasso{Penalty: 0.1}.Learn(ctx, method.Problem{Y: y})
package baseline

import "github.com/nervure/nervure/method"

// registry has every method of this package. The file of a method adds it.
var registry method.Registry

// Methods lists all methods, by name.
func Methods() []method.Entry { return registry.Entries() }

// mostVertices is what the pairs of all vertices leave room for.
const mostVertices = 5000
