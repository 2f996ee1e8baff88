//go:build !js

package cli

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/viewer"
)

// pageConfig is what the page has to know.
func pageConfig() viewer.Config {
	c := viewer.Config{
		Version: nervure.Version(),
		Samples: []viewer.Sample{
			{Name: samplePrefix + "leaf", About: "Leaf: 200 synthetic signals at 24 sensors, with known ground truth"},
			{Name: samplePrefix + "molene", About: "Molène: hourly temperatures at weather stations in Brittany"},
		},
	}
	for _, m := range nervure.Methods() {
		method := viewer.Method{Name: m.Name(), About: m.About, Params: []viewer.Param{}}
		for _, p := range m.Params() {
			method.Params = append(method.Params, viewer.Param{Name: p.Name, Meaning: p.About})
		}
		c.Methods = append(c.Methods, method)
	}
	return c
}
