//go:build !amd64 || purego

package linalg

// available returns the kernels that this processor can run, the fastest first.
func available() []*kernels { return []*kernels{&portable} }
