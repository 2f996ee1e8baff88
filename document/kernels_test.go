package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nervure/nervure/kernel"
)

// A kernel that was described is made again from its description, and its table
// has its values.
func TestKernelsAreMadeAgain(t *testing.T) {
	want, err := kernel.Polynomial("mine", []float64{1, -0.5, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	made, err := NewKernels([]kernel.Kernel{want})[0].Kernel()
	if err != nil {
		t.Fatal(err)
	}
	d := &Kernels{}
	d.Tabulate([]kernel.Kernel{made})
	var b strings.Builder
	if err := d.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 1+kernelSteps+1 || lines[0] != "lambda,p1" || lines[1] != fmt.Sprintf("0,%v", want.Eval(0)) || lines[kernelSteps+1] != fmt.Sprintf("2,%v", want.Eval(2)) {
		t.Errorf("got\n%s", &b)
	}
	if _, err := (Kernel{Name: "none"}).Kernel(); err == nil {
		t.Error("a kernel without coefficients was made")
	}
}

// At the degree that a sharp kernel of a field takes, coefficients of powers are lost to
// rounding; its name is not.
func TestSharpKernelsAreMadeAgain(t *testing.T) {
	want, err := kernel.Matern(2, 0.1, 60)
	if err != nil {
		t.Fatal(err)
	}
	made, err := NewKernels([]kernel.Kernel{want})[0].Kernel()
	if err != nil || made.Name != want.Name || made.Degree() != 60 || made.Eval(0.3) != want.Eval(0.3) {
		t.Errorf("%s was made again as %s: %g, want %g (%v)", want.Name, made.Name, made.Eval(0.3), want.Eval(0.3), err)
	}
}
