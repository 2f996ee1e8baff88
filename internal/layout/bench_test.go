package layout

import (
	"fmt"
	"testing"
)

func BenchmarkPlaces(b *testing.B) {
	for _, c := range []struct{ n, m int }{{50, 150}, {200, 600}, {2000, 6000}, {5000, 20000}} {
		b.Run(fmt.Sprintf("n=%d/m=%d", c.n, c.m), func(b *testing.B) {
			g := random(b, c.n, 2*float64(c.m)/float64(c.n*(c.n-1)))
			for b.Loop() {
				Places(g)
			}
		})
	}
}
