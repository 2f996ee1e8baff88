package signals

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/words"
)

// begun is a time that is not at the begin of anything.
var begun = time.Date(2024, 1, 31, 13, 7, 5, 0, time.UTC)

// after returns times that many minutes after begun.
func after(minutes ...float64) []time.Time {
	var times []time.Time
	for _, m := range minutes {
		times = append(times, begun.Add(time.Duration(m*float64(time.Minute))))
	}
	return times
}

// shown writes a set as text.
func shown(s *Set) string {
	var b strings.Builder
	for _, t := range s.Times {
		fmt.Fprintf(&b, "%s ", t.Format("02T15:04"))
	}
	n, _ := s.Y.Dims()
	for i := range n {
		name := ""
		if s.Names != nil {
			name = s.Names[i]
		}
		fmt.Fprintf(&b, "| %s%v ", name, s.Y.RawRowView(i))
	}
	return strings.TrimSpace(b.String())
}

func TestResamplingIsTheMeanOfEachSpan(t *testing.T) {
	s := &Set{
		Names: []string{"a", "b"}, Times: after(0, 10, 50, 60, 200, 200),
		Y: mat.NewDense(2, 6, []float64{1, 3, nan, 5, 2, 4, nan, 2, 8, nan, nan, nan}),
	}
	for span, want := range map[time.Duration]string{
		time.Hour:      "31T13:00 31T14:00 31T16:00 | a[2 5 3] | b[5 NaN NaN]", // 13:57 and 14:07 are on both sides of 14:00
		4 * time.Hour:  "31T12:00 31T16:00 | a[3 3] | b[5 NaN]",
		24 * time.Hour: "31T00:00 | a[3] | b[5]",
		7 * day:        "31T00:00 | a[3] | b[5]",
		// Spans that do not divide a day are counted from its begin: 13:07 is in the 113th of 7 minutes.
		7 * time.Minute: "31T13:04 31T13:11 31T13:53 31T14:07 31T16:27 | a[1 3 NaN 5 3] | b[NaN 2 8 NaN NaN]",
	} {
		r, err := s.Resample(span)
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(r); got != want {
			t.Errorf("%v: got %s, want %s", span, got, want)
		}
	}
	r, err := s.Resample(time.Hour)
	if err != nil || r.Dropped != 1 || len(s.Notes) != 0 || !strings.Contains(strings.Join(r.Notes, ""), "6 observations averaged over spans of 1h, which gives 3; nothing was observed in one span") {
		t.Errorf("%v, %d dropped, notes %q of %q", err, r.Dropped, r.Notes, s.Notes)
	}
	if _, err := (&Set{Y: s.Y}).Resample(time.Hour); input.Find(err) == nil {
		t.Errorf("without times: %v", err)
	}
}

// Other software is asked the same: the means of pandas over random times.
func TestResamplingIsThatOfPandas(t *testing.T) {
	const m = 400
	draw := rng.Stream(7, "times")
	y := mat.NewDense(2, m, nil)
	var minutes []float64
	at := 0.0
	for k := range m {
		at += math.Round(100 * draw.ExpFloat64())
		minutes = append(minutes, at)
		for i := range 2 {
			if y.Set(i, k, draw.NormFloat64()); draw.IntN(4) == 0 {
				y.Set(i, k, nan)
			}
		}
	}
	s := &Set{Y: y, Times: after(minutes...)}
	for _, span := range []string{"1h", "7h", "1d", "3d"} {
		var file bytes.Buffer
		fmt.Fprintln(&file, "t,a,b")
		for k, at := range s.Times {
			cell := func(i int) string { return strings.Replace(fmt.Sprint(y.At(i, k)), "NaN", "", 1) }
			fmt.Fprintf(&file, "%s,%s,%s\n", at.Format(time.RFC3339), cell(0), cell(1))
		}
		script := `
import sys, json, pandas
f = pandas.read_csv(sys.stdin, index_col="t", parse_dates=True)
r = f.resample("` + strings.Replace(span, "d", "D", 1) + `").mean().dropna(how="all").fillna(1e9)
print(json.dumps([[int(t.timestamp()) for t in r.index], list(r["a"]), list(r["b"])]))`
		cmd := exec.CommandContext(t.Context(), needs.Python(), "-c", script)
		cmd.Stdin = &file
		out, err := cmd.Output()
		if err != nil {
			needs.LeaveOut(t, needs.Python()+" has no pandas")
		}
		var want [3][]float64
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatal(err)
		}
		d, err := words.ParseSpan(span)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Resample(d)
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		for c, at := range r.Times {
			a, b := r.Y.At(0, c), r.Y.At(1, c)
			if math.IsNaN(a) && math.IsNaN(b) {
				continue // observed, but nothing but missing values
			}
			if k == len(want[0]) || float64(at.Unix()) != want[0][k] || !near(a, want[1][k]) || !near(b, want[2][k]) {
				t.Fatalf("%s, span %d: %g and %g at %v, not as pandas has it", span, k, a, b, at)
			}
			k++
		}
		if k != len(want[0]) {
			t.Errorf("%s: %d spans, pandas has %d", span, k, len(want[0]))
		}
	}
}

// near compares a mean with that of pandas, where a missing one is 10⁹.
func near(a, b float64) bool { return math.IsNaN(a) && b == 1e9 || math.Abs(a-b) < 1e-12 }

func TestFilesOfAStudyAreUnited(t *testing.T) {
	one := &Set{Names: []string{"a", "b"}, Times: after(0, 60), Y: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Notes: []string{"odd"}}
	later := &Set{Names: []string{"b", "a"}, Times: after(60, 120), Y: mat.NewDense(2, 2, []float64{6, 8, nan, 7})}
	other := &Set{Names: []string{"c"}, Times: after(30, 60), Y: mat.NewDense(1, 2, []float64{5, 6}), Dropped: 2}
	for name, c := range map[string]struct {
		sets []*Set
		span time.Duration
		want string
	}{
		"the same vertices": {[]*Set{later, one}, 0, "31T13:07 31T14:07 31T15:07 | b[3 5 8] | a[1 2 7]"},
		"other vertices":    {[]*Set{one, other}, 0, "31T13:07 31T13:37 31T14:07 | a[1 NaN 2] | b[3 NaN 4] | c[NaN 5 6]"},
		"all, by two hours": {[]*Set{one, later, other}, 2 * time.Hour, "31T12:00 31T14:00 | a[1 4.5] | b[3 6] | c[5 6]"},
	} {
		labels := []string{"x", "y", "z"}[:len(c.sets)]
		s, err := Unite(labels, c.span, c.sets...)
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(s); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	s, err := Unite([]string{"x.csv", "z.csv"}, 0, one, other)
	if err != nil || s.Dropped != 2 || !slices.Equal(s.Notes, []string{"x.csv: odd", "2 files were united to 3 vertices and 3 observations"}) {
		t.Errorf("%v, %d dropped, notes %q", err, s.Dropped, s.Notes)
	}
	_, err = Unite([]string{"x.csv", "z.csv"}, 0, one, &Set{Names: []string{"c"}, Y: other.Y})
	if e := input.Find(err); e == nil || e.File != "z.csv" {
		t.Errorf("without times: %v", err)
	}
}

func TestSpacingTellsGapsFromUnevenTimes(t *testing.T) {
	var regular, jittered, uneven []float64
	draw := rng.Stream(3, "spacing")
	at := 0.0
	for k := range 100 {
		regular = append(regular, 10*float64(k))
		jittered = append(jittered, 10*float64(k)+0.8*draw.Float64())
		at += 20 * draw.Float64()
		uneven = append(uneven, at)
	}
	var months []time.Time
	for k := range 30 {
		months = append(months, time.Date(2020, time.Month(1+k), 1, 0, 0, 0, 0, time.UTC))
	}
	gaps := slices.Delete(slices.Clone(regular), 40, 43)
	for name, c := range map[string]struct {
		times []time.Time
		want  FindingKind
	}{
		"regular": {after(regular...), ""}, "jittered": {after(jittered...), ""}, "months": {months, ""},
		"gaps": {after(gaps...), TimeGaps}, "uneven": {after(uneven...), UnevenTimes}, "none": {nil, ""}, "one": {after(0), ""}, "equal": {after(0, 0, 10, 20), ""},
	} {
		s := &Set{Y: mat.NewDense(1, max(len(c.times), 1), nil), Times: c.times}
		var kind FindingKind
		for _, f := range s.Findings() {
			kind = f.Kind
		}
		if kind != c.want {
			t.Errorf("%s: got %q, want %q", name, kind, c.want)
		}
	}
	s := &Set{Y: mat.NewDense(1, 97, nil), Times: after(gaps...)}
	if sp := s.Spacing(); sp.Gaps != 1 || sp.Missing != 3 || sp.Step != 10*time.Minute || !sp.LongestGap.Equal(begun.Add(390*time.Minute)) {
		t.Errorf("%+v", sp)
	}
	if d := s.SuggestSpan(); d != 10*time.Minute {
		t.Errorf("suggested %v", d)
	}
}
