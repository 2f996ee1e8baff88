package fitting

import (
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// What of a fit is written down, so that a run can go on after its process has died; see
// package checkpoint.

func CodeKernels(c *checkpoint.Coder, kernels *[]kernel.Kernel) {
	checkpoint.Slice(c, kernels, func(c *checkpoint.Coder, k *kernel.Kernel) { c.Binary(k) })
}

func CodeModel(c *checkpoint.Coder, m *Model) {
	CodeKernels(c, &m.Kernels)
	c.Int(&m.Sparsity)
	c.Float(&m.NoiseFloor)
}

func CodeResiduals(c *checkpoint.Coder, r *Residuals) { c.Floats((*[]float64)(r)) }

// CodeCodes codes sparse codes, which may be nil.
func CodeCodes(c *checkpoint.Coder, x **sparse.Code) {
	there := *x != nil
	if c.Bool(&there); !there {
		*x = nil
		return
	}
	var shape [3]int
	var counts, atoms []int32
	var coefs []float64
	if !c.Reading() {
		shape[0], shape[1] = (*x).Dims()
		shape[2] = (*x).Sparsity()
		for m := range shape[1] {
			atom, coef := (*x).Column(m)
			counts, atoms, coefs = append(counts, int32(len(atom))), append(atoms, atom...), append(coefs, coef...)
		}
	}
	for k := range shape {
		c.Int(&shape[k])
	}
	c.Int32s(&counts)
	c.Int32s(&atoms)
	c.Floats(&coefs)
	if !c.Reading() {
		return
	}
	*x = sparse.NewCode(shape[0], len(counts), shape[2])
	for m, n := range counts {
		(*x).SetColumn(m, atoms[:n], coefs[:n])
		atoms, coefs = atoms[n:], coefs[n:]
	}
}

func CodePairs(c *checkpoint.Coder, p *dictionary.Pairs) {
	c.Int(&p.N)
	c.Int32s(&p.I)
	c.Int32s(&p.J)
}
