package study

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
)

// mostNoise is the share of the variation between units from which on the noise of few observations is told.
const mostNoise = 0.5

// noteSize says, if nothing was found, what so few units would have found, and how many would do.
func (g *Groups) noteSize() {
	t := g.Test
	if t.Whole.P <= clearly || g.found() > 0 || t.Detects <= 1 {
		return
	}
	enough := int(math.Ceil(float64(t.Units) * t.Detects * t.Detects))
	g.Notes = append(
		g.Notes,
		fmt.Sprintf(
			"%d %ss find only large differences: in a single pair, %.2g standard deviations between %ss in four of five studies; %d would find 1",
			t.Units,
			g.Design.Unit,
			t.Detects,
			g.Design.Unit,
			enough,
		),
	)
}

// unlike is the ratio of the mean lengths of groups' files from which on their values vary differently.
const unlike = 1.5

// noteLengths says if the files of one group are longer than those of another, which makes p-values approximate.
func (g *Groups) noteLengths(units []unit) {
	var lengths []float64
	var said []string
	for k, level := range g.Test.Levels {
		sum := 0.0
		for u, unit := range units {
			if g.level(u) == level {
				sum += unit.found.Observations / float64(g.Test.Counts[k])
			}
		}
		lengths, said = append(lengths, sum), append(said, fmt.Sprintf("%.0f in %s", sum, level))
	}
	if len(lengths) == 0 || slices.Max(lengths) <= unlike*slices.Min(lengths) {
		return
	}
	g.Exact = false
	g.Notes = append(
		g.Notes,
		fmt.Sprintf(
			"files are not of the same length: they count for as many independent observations as %s, on average; short ones vary more, so that p-values are approximate, most of all with few files",
			words.List(said, "and"),
		),
	)
}

// noteNoise says, if nothing was found, how much of the variation between files is noise of their few signals.
func (g *Groups) noteNoise(units []unit) {
	if g.Test.Whole.P <= clearly || g.found() > 0 {
		return
	}
	inverse := 0.0
	for _, u := range units {
		inverse += 1 / max(u.found.Observations, 1) / float64(len(units))
	}
	noise, variation, df := 0.0, 0.0, 0.0
	for _, members := range g.members() {
		df += float64(len(members) - 1)
	}
	column := make([]float64, len(units))
	for p, typical := range g.Values.Typical {
		rest := 1 - float64(typical*typical)
		noise += float64(float64(rest*rest) * inverse)
		mat.Col(column, p, g.Values.Of)
		for _, members := range g.members() {
			values := make([]float64, len(members))
			for k, u := range members {
				values[k] = column[u]
			}
			_, variance := portable.PopMeanVariance(values)
			variation += variance * float64(len(values)) / max(df, 1)
		}
	}
	share := min(noise/variation, 1)
	if share <= mostNoise {
		return
	}
	note := fmt.Sprintf(
		"about %.0f%% of how much files vary is noise, because each has few signals: as many as %.0f independent ones",
		100*share,
		1/inverse,
	)
	if share < 0.95 {
		note += fmt.Sprintf("; with %.2g times as many it would be half", share/(1-share))
	}
	g.Notes = append(g.Notes, note)
}
