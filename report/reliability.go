package report

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/nervure/nervure/internal/words"
)

// reliabilityText is what confidence was worth in simulations, as the experiment “calibration” measured
// it: generated from its results.
//
//go:embed reliability.csv
var reliabilityText string

// A familyReliability is what confidence is worth in a family of signals.
type familyReliability struct {
	Family string
	Sure   string // number of edges
	True   string // share of them
	Recall string
}

// reliability returns what confidence is worth, the worst family first.
func reliability() []familyReliability {
	share := func(text string) string {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "–"
		}
		return words.Percent(v)
	}
	var list []familyReliability
	for line := range strings.Lines(reliabilityText) {
		if cells := strings.Split(strings.TrimSpace(line), ","); cells[0] != "family" {
			list = append(list, familyReliability{cells[0], cells[1], share(cells[2]), share(cells[3])})
		}
	}
	return list
}
