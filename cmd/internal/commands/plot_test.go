package commands

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/figure"
)

func FuzzPlotSummary(f *testing.F) {
	add := func(text string) { // with each kind of figure
		for k := range arguments.SummaryKinds {
			f.Add(text + strings.Repeat(" ", k))
		}
	}
	add(`{"method": "sparse", "weights": [1, -2, 1e999], "edges": 3}`)
	add(`{"method": "sparse", "kernels": [{"name": "x", "coefficients": [1, 1e300, 5]}], "edges": -1, "weights": [3, 1]}`)
	add(`{"method": "sparse", "trace": [{"start": 9, "residual": 0}, {"start": 9, "objective": 1}]}`)
	add(`{"method": "x", "trace": [{"residual": -1e308}, {"residual": 1e308}, {"residual": 5e-324}]}`)
	add(`{"method": "x", "trace": [{"residual": -1e20}]}`)
	add(`{"method": "x", "trace": [{"residual": 1e20}, {"residual": 1.0000000000000001e20}]}`)
	add(`{"method": "x", "trace": [{"residual": -1.7e308}]}`)
	add(`{"method": "x", "trace": [{"residual": 1e308}]}`)
	add(`{"method": "x", "weights": [1e308, 5e-324]}`)
	add(`{"nodes": [], "method": "x"}`)
	add("a,b,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), 2<<10)]
		s, err := decodeSummary(strings.NewReader(text), "s.json")
		if err != nil {
			if views.ExitCode(err) != views.ExitMisuse {
				t.Errorf("%v is not an error of the input", err)
			}
			return
		}
		if s == nil {
			return
		}
		kind := arguments.SummaryKinds[len(text)%len(arguments.SummaryKinds)] // one, for drawing takes long
		d, _, err := s.draw(kind)
		if err != nil {
			if views.ExitCode(err) != views.ExitMisuse {
				t.Errorf("%s: %v is not an error of the input", kind, err)
			}
			return
		}
		var b bytes.Buffer
		if err := figure.Write(&b, figure.SVG, figure.Page{}, d); err != nil {
			t.Error(err)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
			t.Errorf("%s: not a number in the figure", kind)
		}
	})
}
