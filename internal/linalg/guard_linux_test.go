package linalg

import (
	"syscall"
	"testing"
	"unsafe"
)

// fenced returns n numbers that end where the next page cannot be touched.
func fenced(t *testing.T, n int) []float64 {
	page := syscall.Getpagesize()
	size := ceil(8*n, page) * page
	memory, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(memory[size:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&memory[size-8*n])), n)
}

// Reading past the end crashes this test, whatever is done with the number read.
func TestNothingIsReadBeyondTheEnd(t *testing.T) {
	matrix := func(r, c int) Dense { return Dense{Rows: r, Cols: c, Stride: c, Data: fenced(t, r*c)} }
	onAllKernels(t, func(t *testing.T) {
		for _, n := range []int{1, 3, 4, 7, 8, 13, 23, 24, 25, 50} {
			a, b, c := matrix(n, n), matrix(n, n), matrix(n, n)
			for _, v := range variants {
				v.do(1, c, a, b)
			}
			x, y := fenced(t, n), fenced(t, n)
			Dot(x, y)
			Axpy(1, x, y)
			Rotate(x, y, 0.6, 0.8)
			for _, s := range bothTriangles(a) {
				Symv(y, s, x)
			}
		}
	})
}
