package build

import (
	"runtime"
	"testing"
)

func TestThisProgramIsKnownByItsBytes(t *testing.T) {
	p := This()
	if len(p.Program) != 64 || p != This() || p.Go != runtime.Version() || p.Version == "" {
		t.Errorf("%+v", p)
	}
}
