package pages

import "testing"

func TestExampleBody(t *testing.T) {
	got, err := exampleBody("package x\n\nfunc Example_other() {\n\tno()\n}\n\nfunc Example() {\n\tif a {\n\t\tb()\n\t}\n\tc()\n\t// Output: d\n}\n")
	if want := "if a {\n\tb()\n}\nc()\n"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if got, err := exampleBody("package x\n"); err == nil {
		t.Errorf("got %q", got)
	}
}
