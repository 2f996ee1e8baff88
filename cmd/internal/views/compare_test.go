package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nervure/nervure/document"
)

// Each graph is held against those of the first methods, all of them where 80 columns have the room.
func TestAgreementFitsTheTerminal(t *testing.T) {
	for n, numbers := range map[int]int{2: 2 * 1, 11: 11 * 10, 12: 12*11 - 11, 30: 30*11 - 11} {
		a := document.Agreement{F1: make([][]float64, n)}
		for i := range n {
			a.Methods = append(a.Methods, fmt.Sprintf("spectral-method-%02d", i))
			a.F1[i] = slices.Repeat([]float64{0.5}, n)
		}
		var b strings.Builder
		writeAgreement(&b, a)
		if got := strings.Count(b.String(), "0.50"); got != numbers {
			t.Errorf("%d methods: %d numbers, want %d", n, got, numbers)
		}
		if cut := strings.Contains(b.String(), "--json has all"); cut != (numbers < n*(n-1)) {
			t.Errorf("%d methods: numbers are left out, told: %t", n, cut)
		}
		for line := range strings.Lines(b.String()) {
			if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > Columns {
				t.Errorf("%d methods: %d columns: %s", n, w, line)
			}
		}
	}
}

func TestHangingKeepsWordsAndWidth(t *testing.T) {
	sentence := strings.TrimSpace(strings.Repeat("some words of λ ", 20))
	got := hanging("method  ", sentence)
	if strings.Join(strings.Fields(got), " ") != "method "+sentence {
		t.Errorf("the words changed: %q", got)
	}
	for k, line := range strings.Split(got, "\n") {
		if utf8.RuneCountInString(line) > Columns || k > 0 && !strings.HasPrefix(line, "        ") {
			t.Errorf("line %d: %q", k+1, line)
		}
	}
}
