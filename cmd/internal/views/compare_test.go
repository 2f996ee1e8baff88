package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nervure/nervure/document"
)

// However many methods there are, every pair of them is shown, within 80 columns.
func TestAgreementFitsTheTerminal(t *testing.T) {
	for _, n := range []int{2, 11, 12, 30} {
		a := document.Agreement{F1: make([][]float64, n)}
		for i := range n {
			a.Methods = append(a.Methods, fmt.Sprintf("spectral-method-%02d", i))
			a.F1[i] = slices.Repeat([]float64{0.5}, n)
		}
		var b strings.Builder
		writeAgreement(&b, a)
		if got, want := strings.Count(b.String(), "0.50"), n*(n-1); got != want {
			t.Errorf("%d methods: %d numbers, want %d", n, got, want)
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
