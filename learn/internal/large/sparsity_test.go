package large

import "testing"

// Wherever the shortest message is, it is found.
func TestShortestFindsTheValley(t *testing.T) {
	for least := 1; least <= 40; least++ {
		for first := 1; first <= 40; first++ {
			got := shortest(first, 40, func(atoms int) float64 {
				if atoms < 1 || atoms > 40 {
					t.Fatalf("asked for %d atoms", atoms)
				}
				return float64((atoms - least) * (atoms - least))
			})
			if got != least {
				t.Errorf("from %d: got %d, want %d", first, got, least)
			}
		}
	}
}
