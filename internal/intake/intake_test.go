package intake

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

func messySignals(t *testing.T, vertices, observations int) *signals.Set {
	t.Helper()
	r, err := simulate.Messy(simulate.MessySpec{Vertices: vertices, Observations: observations, Broken: 3, Kinds: []simulate.FaultKind{simulate.FaultCode, simulate.FaultStuck, simulate.FaultJump}, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return &signals.Set{Y: r.Signals, Times: r.Times}
}

func outOfTimeWarnings(p *prepare.Prepared) string {
	var list []string
	for _, w := range p.Warnings {
		if w.Kind == prepare.OutOfTime {
			list = append(list, w.Sentence())
		}
	}
	return strings.Join(list, "; ")
}

// A preparation that is stopped is none, wherever it is, and one that is not is the same
// as ever.
func TestStoppedPreparationIsNone(t *testing.T) {
	s := messySignals(t, 12, 400)
	want, err := Prepare(t.Context(), s, Request{CommonMode: method.OwnCommonMode})
	if err != nil {
		t.Fatal(err)
	}
	for looks := 0; ; looks += 1 + looks/2 {
		got, err := Prepare(checks.EndsAfter(looks), s, Request{CommonMode: method.OwnCommonMode})
		if err == nil {
			if looks == 0 || !reflect.DeepEqual(got.SensorFindings, want.SensorFindings) || !reflect.DeepEqual(got.Report, want.Report) {
				t.Errorf("after %d looks: got another preparation and no error", looks)
			}
			break
		}
		if got != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: got %v and %v", looks, got, err)
		}
	}
}

// What there is no time to look for is left out, and the preparation says what: it never
// says that there is nothing.
func TestPreparationOutOfTimeSaysWhatIsMissing(t *testing.T) {
	s := messySignals(t, 12, 400)
	over := run.Budget{Limit: time.Minute, Begun: time.Now().Add(-time.Hour)}
	for name, c := range map[string]struct {
		options prepare.Options
		want    string
	}{
		"nothing asked for":        {prepare.Options{}, "the time limit left no time to look for cycles and trends"},
		"cycles asked for":         {prepare.Options{Season: prepare.Yes, Detrend: prepare.No}, "the time limit left no time to look for cycles"},
		"trends are to be removed": {prepare.Options{Detrend: prepare.Yes, Season: prepare.No}, ""},
		"periods are given":        {prepare.Options{Detrend: prepare.No, Periods: []float64{24}}, ""},
	} {
		p, err := Prepare(t.Context(), s, Request{Prepare: c.options, CommonMode: method.OwnCommonMode, Budget: over})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		told := outOfTimeWarnings(p)
		if p.Sensors != prepare.SensorsCutShort || !strings.Contains(told, "ended the search for faults") {
			t.Errorf("%s: sensors %s, warnings %q", name, p.Sensors, told)
		}
		if !strings.Contains(told, c.want) || c.want == "" && strings.Contains(told, "look for") {
			t.Errorf("%s: warnings %q, want %q", name, told, c.want)
		}
		if lost := strings.Contains(told, "cycles"); lost != (p.Report.Season.Sentence == "cycles not looked for: the time was up") {
			t.Errorf("%s: warnings %q, and of cycles: %q", name, told, p.Report.Season.Sentence)
		}
		if p.Report.Detrend.Done != (c.options.Detrend == prepare.Yes) || p.Report.Season.Done != (c.options.Periods != nil) {
			t.Errorf("%s: done %q", name, p.Report.Sentence())
		}
		if !p.CutShort || !reflect.DeepEqual(p.Options.Season, c.options.Season) {
			t.Errorf("%s: cut short %t, season %q", name, p.CutShort, p.Options.Season)
		}
	}
}

// Reporting leaves the values as they are, and signals with few vertices are not checked.
func TestBadSensorsCanBeLeftAlone(t *testing.T) {
	r, err := simulate.Messy(simulate.MessySpec{Seed: 701, Observations: 500})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []prepare.FaultRule{prepare.ReportFaults, prepare.DropSensors} {
		p, err := Prepare(t.Context(), &signals.Set{Y: r.Signals, Times: r.Times}, Request{Prepare: prepare.None(), BadSensors: rule})
		if err != nil {
			t.Fatal(err)
		}
		if (rule == prepare.ReportFaults) != (p.Masked == 0) || len(p.Faults) == 0 {
			t.Errorf("%s: %d faults, %d masked", rule, len(p.Faults), p.Masked)
		}
		if rule == prepare.ReportFaults && !sameOrMissing(p.Y, r.Signals) {
			t.Error("values were changed")
		}
	}
	few := &signals.Set{Y: mat.DenseCopyOf(r.Clean.Slice(0, 5, 0, 100))}
	if p, err := Prepare(t.Context(), few, Request{}); err != nil || p.Sensors != prepare.SensorsUnchecked {
		t.Errorf("got %v, %v", p, err)
	}
	if _, err := Prepare(t.Context(), few, Request{BadSensors: "hide"}); err == nil {
		t.Error("an unknown rule was taken")
	}
}

func sameOrMissing(a, b *mat.Dense) bool {
	n, m := a.Dims()
	for i := range n {
		for k := range m {
			if v, w := a.At(i, k), b.At(i, k); v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				return false
			}
		}
	}
	return true
}
