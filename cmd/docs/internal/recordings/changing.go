package recordings

import (
	"context"
	"fmt"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/study"
)

// A Setting is a series whose graph changes in its middle, and how it is cut.
type Setting struct {
	Vertices     int // before isolated ones are stripped
	Window, Step int // in observations
	Count        int // of windows
}

// Settings returns those of the committed results.
func Settings() []Setting {
	return []Setting{{24, 250, 250, 8}, {36, 400, 400, 8}, {30, 200, 100, 15}, {20, 300, 300, 10}}
}

// changing measures the windows of graphs that change, in each setting.
func (m Measurement) changing(ctx context.Context, seed uint64) (Record, error) {
	r := Record{Kind: Changing, Seed: seed}
	settings := m.series
	if settings == nil {
		settings = Settings()
	}
	for k, c := range settings {
		drawn, err := simulate.Changing(simulate.ChangingSpec{Vertices: c.Vertices, Observations: (c.Count-1)*c.Step + c.Window, Seed: seed})
		if err != nil {
			return r, err
		}
		if k == 0 {
			r.Edges = drawn.Before.EdgeCount()
		}
		series, err := study.LearnWindows(ctx, &nervure.Signals{Y: drawn.Signals, Names: drawn.Before.Names(), Times: drawn.Times}, study.WindowOptions{
			Window: study.Length{Observations: c.Window}, Step: study.Length{Observations: c.Step},
			Learn: nervure.Options{Structure: nervure.No, Threads: m.Threads},
		})
		if err != nil {
			return r, err
		}
		r.Windows = append(r.Windows, series.Judge(drawn.Before, drawn.After, drawn.Moment))
	}
	return r, nil
}

// changes says what came of the series of a seed.
func (r Record) changes() string {
	var parts []string
	for _, j := range r.Windows {
		parts = append(parts, fmt.Sprintf("F1 %.3f, %.1f %% of the stable edges change per window, %.1f %% at the moment, which is %d windows off", j.F1, 100*j.Flicker, 100*j.AtMoment, j.Off))
	}
	return fmt.Sprintf("changing %d: %s", r.Seed, strings.Join(parts, "; "))
}
