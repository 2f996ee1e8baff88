package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/prepare"
)

// span are the numbers from ≤ k < to.
func span(from, to int) (list []int) {
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// brokenRun is a run of 100 hourly observations with faults of two sensors.
func brokenRun(t *testing.T, clock bool) content {
	t.Helper()
	r := webRun(t, 6, []string{"a", "b", "c", "d", "e", "f"})
	r.Signals = mat.NewDense(6, 100, nil)
	r.Faults = []prepare.Fault{
		{Vertex: 4, Kind: prepare.Spikes, From: 5, To: 61, Places: []int{5, 30, 60}, Sentence: "3 values up to 85, far from all others"},
		{Vertex: 1, Kind: prepare.Stuck, From: 20, To: 60, Places: span(20, 60), Sentence: "the value 21.5, 40 times in a row"},
		{Vertex: 1, Kind: prepare.MissingCode, From: 99, To: 100, Places: []int{99}, Sentence: "the value -999"},
	}
	if clock {
		begun := time.Date(2024, 3, 30, 22, 0, 0, 0, time.FixedZone("", 3600))
		for k := range 100 {
			r.Times = append(r.Times, begun.Add(time.Duration(k)*time.Hour))
		}
	}
	return r
}

func TestTimelineByObservation(t *testing.T) {
	line := newTimeline(brokenRun(t, false))
	if line.Clock || line.From != 0.5 || line.To != 100.5 {
		t.Errorf("the axis goes from %g to %g, want 0.5 to 100.5 by observation", line.From, line.To)
	}
	if got := []string{line.Rows[0].Name, line.Rows[1].Name}; !slices.Equal(got, []string{"b", "e"}) {
		t.Errorf("the rows are %q, want b, which has more values at fault, then e", got)
	}
	if got, want := line.Rows[0].Faults[0].Runs, [][2]float64{{20.5, 60.5}}; !slices.Equal(got, want) {
		t.Errorf("observations 21 to 60 are drawn at %v", got)
	}
	if got, want := line.Rows[1].Faults[0].Runs, [][2]float64{{5.5, 6.5}, {30.5, 31.5}, {60.5, 61.5}}; !slices.Equal(got, want) {
		t.Errorf("three spikes are drawn at %v, want %v", got, want)
	}
	if len(line.Words) != 3 || line.Words[0].Name != "b" || line.Words[2].Name != "e" {
		t.Errorf("it says %q", line.Words)
	}
}

func TestTimelineByTheClock(t *testing.T) {
	r := brokenRun(t, true)
	line := newTimeline(r)
	hour := 3_600_000.0
	begun := float64(time.Date(2024, 3, 30, 22, 0, 0, 0, time.UTC).UnixMilli()) // what the clock showed
	if !line.Clock || line.From != begun || line.To != begun+100*hour {
		t.Errorf("the axis goes from %g to %g, want %g and 100 hours", line.From, line.To, begun)
	}
	if got, want := line.Rows[0].Faults[1].Runs, [][2]float64{{begun + 99*hour, line.To}}; !slices.Equal(got, want) {
		t.Errorf("the last observation is drawn at %v, want %v", got, want)
	}
	if got := line.Words[0].Words; !strings.Contains(got, "31 March 2024, 18:00 to 2 April 2024, 09:00") {
		t.Errorf("it says %q", got)
	}
	// Times that do not reach as far as the faults are of something else.
	r.Times = r.Times[:50]
	if newTimeline(r).Clock {
		t.Error("50 times are taken for those of 100 observations")
	}
}

func TestWithoutFaultsThereIsNoTimeline(t *testing.T) {
	r := brokenRun(t, true)
	r.Faults = nil
	if newTimeline(r) != nil || bytes.Contains(page(t, r), []byte("sensors-title")) {
		t.Error("a recording without faults has a section about them")
	}
}

func checkSensors(t *testing.T, b *browsertest.Browser) {
	for width, clock := range map[int64]bool{1280: false, 390: true} {
		p := open(t, b, brokenRun(t, clock), browsertest.View{Width: width, Height: 844})
		bars := browsertest.Eval[[]struct {
			X, Width, Y float64
			Fill, Title string
		}](p, `[...document.querySelectorAll("#sensors rect")].map((r) => ({ x: Number(r.getAttribute("x")), width: Number(r.getAttribute("width")), y: Number(r.getAttribute("y")), fill: getComputedStyle(r).fill, title: r.querySelector("title").textContent }))`)
		if len(bars) != 5 {
			t.Fatalf("%d bars are drawn, want one that is stuck, a code and three spikes", len(bars))
		}
		stuck, code, spikes := bars[0], bars[1], bars[2]
		// 40 observations beside the 15 before the first of them, from the first spike on.
		if ratio := stuck.Width / (stuck.X - spikes.X); ratio < 2.6 || ratio > 2.7 || stuck.Y != code.Y || stuck.Y == spikes.Y ||
			stuck.X >= code.X {
			t.Errorf("the bars are %+v", bars)
		}
		if stuck.Fill == code.Fill || stuck.Fill == spikes.Fill || code.Fill == spikes.Fill {
			t.Errorf("kinds share a colour: %+v", bars)
		}
		if !strings.HasPrefix(stuck.Title, "b: stuck, ") {
			t.Errorf("a bar says %q", stuck.Title)
		}
		said := browsertest.Eval[string](p, `document.querySelector("#sensors svg").textContent`)
		want := "observation"
		if clock {
			want = "30 Mar"
		}
		if !strings.Contains(said, want) {
			t.Errorf("the axis says %q, which lacks %q", said, want)
		}
		if list := browsertest.Eval[string](p, `document.querySelector("ul.faults").innerText`); !strings.Contains(list, "b: code, ") ||
			strings.Count(list, "\n") != 2 {
			t.Errorf("the list is %q", list)
		}
		if wide := browsertest.Eval[int64](p, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("the page is %d pixels wide on a screen of %d", wide, width)
		}
	}
}
