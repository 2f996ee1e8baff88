//go:build !amd64 || noasm || safe || gccgo

package portable

// Dot returns xᵀ·y of vectors of equal lengths.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic("portable.Dot: vectors of different lengths")
	}
	return dotGo(x, y)
}

// Sum returns x₀ + x₁ + ….
func Sum(x []float64) float64 { return sumGo(x) }
