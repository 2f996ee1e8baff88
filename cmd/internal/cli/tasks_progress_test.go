package cli

import (
	"strings"
	"testing"
)

func TestAlteredLinesAreToldOnce(t *testing.T) {
	var said strings.Builder
	warn := alteredWarning(console{err: &said}, "d/results.jsonl", "measured")
	for _, lines := range []int{0, 3, 3} {
		warn(lines)
	}
	if got, want := said.String(), "warning: 3 altered lines of d/results.jsonl: what was there is measured again\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
