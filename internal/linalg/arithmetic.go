package linalg

import "runtime"

// Arithmetic names how this process rounds: processes in which it is the same
// compute the same bits. Tests of exact answers hold for one of them only.
func Arithmetic() string {
	if active.name == portable.name {
		return runtime.GOARCH
	}
	return runtime.GOARCH + ", fused"
}
