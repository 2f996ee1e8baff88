package method_test

import (
	"fmt"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Ask a method what it can use, without knowing which it is.
func ExampleHas() {
	for _, m := range []method.Method{learn.Sparse{}, baseline.KernelInversion{}, baseline.Tree{}} {
		fmt.Println(m.Name(), method.Has(m, method.UsesKernels))
	}
	// Output:
	// sparse true
	// kernel-inversion true
	// tree false
}
