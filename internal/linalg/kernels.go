package linalg

// kernels is the inner arithmetic for one kind of processor. All kinds give the same
// results: sums have one order, and every product is fused with the sum it goes into.
type kernels struct {
	name string

	// tile sets c = a·b, or c += a·b, for at most rows×cols entries of c. See tileGo.
	tile       func(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool)
	rows, cols int

	// transpose writes lanes rows as columns. It needs at least lanes columns. See transposeGo.
	transpose func(k int, src []float64, lds, rows int, dst []float64, ldd int)
	lanes     int

	// Vectors of equal lengths; see the functions in vector.go.
	dot      func(x, y []float64) float64
	axpy     func(alpha float64, x, y []float64)
	axpy2    func(alpha float64, x []float64, beta float64, y, z []float64)
	rotate   func(x, y []float64, cos, sin float64)
	replace  func(dst, x, y, scale []float64) (moved float64)
	symvRows func(a []float64, lda int, x, y []float64, alpha, dot *[4]float64)
}

// portable runs everywhere, slowly where the processor cannot fuse.
var portable = kernels{
	name: "portable", tile: tileGo, rows: 4, cols: 4, transpose: transposeGo, lanes: 4,
	dot: dotGo, axpy: axpyGo, axpy2: axpy2Go, rotate: rotateGo, replace: replaceGo, symvRows: symvRowsGo,
}

// active is what this process computes with; only tests change it.
var active = available()[0]

// Arithmetic names the way in which this process rounds: programs that are equal and
// say the same give the same bits. All kernels in assembly say the same.
func Arithmetic() string {
	if active == &portable {
		return portable.name
	}
	return "AVX"
}

// Kernels names the kernels that this process computes with: AVX-512, AVX2 or portable.
func Kernels() string { return active.name }
