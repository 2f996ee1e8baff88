//go:build !js

package cli

import (
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/viewer"
)

// pageConfig is what the page has to know.
func pageConfig() viewer.Config {
	c := viewer.Config{
		Version: version(),
		Methods: []viewer.Method{{Name: sparseMethod, About: aboutSparse, Params: []viewer.Param{}}},
		Samples: []viewer.Sample{
			{Name: samplePrefix + "leaf", About: "A leaf: 200 signals at 24 places, made up, with a known graph"},
			{Name: samplePrefix + "molene", About: "Molène: hourly temperatures at weather stations in Brittany"},
		},
		Signals: []string{"csv", "tsv", "npy", "npz", "mat", "parquet"},
		Graphs:  []string{"csv", "json", "graphml", "gexf", "dot", "mtx", "npy", "mat"},
	}
	for _, e := range baseline.Methods() {
		method := viewer.Method{Name: e.Name(), About: e.About, Params: []viewer.Param{}}
		for _, p := range e.Params() {
			method.Params = append(method.Params, viewer.Param{Name: p.Name, Meaning: p.About})
		}
		c.Methods = append(c.Methods, method)
	}
	return c
}
