package linalg

import (
	"fmt"
	"testing"
)

func BenchmarkEigen(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			a, s := random(n, n), NewDense(n, n)
			MulTransB(s, a, a)
			e := NewEigen(n)
			for b.Loop() {
				copy(e.Vectors.Data, s.Data)
				if err := e.Factorize(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
