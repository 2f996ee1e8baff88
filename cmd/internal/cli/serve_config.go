//go:build !js

package cli

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/viewer"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/internal/inputs"
)

// pageConfig is what the page has to know.
func pageConfig() viewer.Config {
	c := viewer.Config{Version: nervure.Version()}
	for _, name := range examples.Names() {
		c.Samples = append(c.Samples, viewer.Sample{Name: inputs.SamplePrefix + name, About: examples.About(name)})
	}
	for _, m := range learnMethods() {
		method := viewer.Method{Name: m.Name(), About: m.About, Params: []viewer.Param{}}
		for _, p := range m.Params() {
			method.Params = append(method.Params, viewer.Param{Name: p.Name, Meaning: p.About})
		}
		c.Methods = append(c.Methods, method)
	}
	return c
}
