package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nervure/nervure/figure"
)

func FuzzPlotSummary(f *testing.F) {
	f.Add(`{"method": "sparse", "weights": [1, -2, 1e999], "edges": 3}`)
	f.Add(`{"method": "sparse", "kernels": [{"name": "x", "coefficients": [1, 1e300, 5]}], "edges": -1, "weights": [3, 1]}`)
	f.Add(`{"method": "sparse", "trace": [{"start": 9, "residual": 0}, {"start": 9, "objective": 1}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": -1e308}, {"residual": 1e308}, {"residual": 5e-324}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": -1e20}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": 1e20}, {"residual": 1.0000000000000001e20}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": -1.7e308}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": 1e308}]}`)
	f.Add(`{"method": "x", "weights": [1e308, 5e-324]}`)
	f.Add(`{"nodes": [], "method": "x"}`)
	f.Add("a,b,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := decodeSummary(strings.NewReader(text), "s.json")
		if err != nil {
			if exitCode(err) != exitMisuse {
				t.Errorf("%v is not an error of the input", err)
			}
			return
		}
		if s == nil {
			return
		}
		for _, kind := range summaryKinds {
			d, _, err := s.draw(kind)
			if err != nil {
				if exitCode(err) != exitMisuse {
					t.Errorf("%s: %v is not an error of the input", kind, err)
				}
				continue
			}
			var b bytes.Buffer
			if err := figure.Write(&b, figure.SVG, figure.Page{}, d); err != nil {
				t.Error(err)
			}
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
				t.Errorf("%s: not a number in the figure", kind)
			}
		}
	})
}
