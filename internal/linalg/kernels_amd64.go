//go:build !purego

package linalg

import "golang.org/x/sys/cpu"

var (
	avx512 = kernels{
		name: "AVX-512", tile: tileAVX512, rows: 8, cols: 24, transpose: transposeAVX512, lanes: 8,
		dot: dotAVX2, axpy: axpyAVX2, axpy2: axpy2AVX2, rotate: rotateAVX2, replace: replaceAVX2, symvRows: symvRowsAVX2,
	}
	avx2 = kernels{
		name: "AVX2", tile: tileAVX2, rows: 6, cols: 8, transpose: transposeAVX2, lanes: 4,
		dot: dotAVX2, axpy: axpyAVX2, axpy2: axpy2AVX2, rotate: rotateAVX2, replace: replaceAVX2, symvRows: symvRowsAVX2,
	}
)

// available returns the kernels that this processor can run, the fastest first.
// Features count only if the operating system saves the registers they need.
func available() []*kernels {
	var k []*kernels
	fused := cpu.X86.HasAVX2 && cpu.X86.HasFMA
	if fused && cpu.X86.HasAVX512F {
		k = append(k, &avx512)
	}
	if fused {
		k = append(k, &avx2)
	}
	return append(k, &portable)
}

//go:noescape
func tileAVX512(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool)

//go:noescape
func tileAVX2(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool)

//go:noescape
func transposeAVX512(k int, src []float64, lds, rows int, dst []float64, ldd int)

//go:noescape
func transposeAVX2(k int, src []float64, lds, rows int, dst []float64, ldd int)

//go:noescape
func dotAVX2(x, y []float64) float64

//go:noescape
func axpyAVX2(alpha float64, x, y []float64)

//go:noescape
func axpy2AVX2(alpha float64, x []float64, beta float64, y, z []float64)

//go:noescape
func rotateAVX2(x, y []float64, cos, sin float64)

//go:noescape
func replaceAVX2(dst, x, y, scale []float64) (moved float64)

//go:noescape
func symvRowsAVX2(a []float64, lda int, x, y []float64, alpha, dot *[4]float64)
