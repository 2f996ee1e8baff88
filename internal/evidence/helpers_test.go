package evidence

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

func momentsOf(s *mat.SymDense) linalg.Dense {
	n := s.SymmetricDim()
	d := linalg.NewDense(n, n)
	for i := range n {
		for j := range n {
			d.Data[i*n+j] = s.At(i, j)
		}
	}
	return d
}
