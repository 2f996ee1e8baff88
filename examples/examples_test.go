package examples

import "testing"

// Every example has a description and a file of each kind.
func TestEveryExampleIsComplete(t *testing.T) {
	for _, name := range Names() {
		if About(name) == "" {
			t.Errorf("%s is not described", name)
		}
		for _, file := range []string{Signals, Truth, Vertices} {
			f, err := Open(name, file)
			if err != nil {
				t.Error(err)
				continue
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Open("none", Signals); err == nil || About("none") != "" {
		t.Error("there is an example that is not listed")
	}
}
