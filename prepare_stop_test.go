package nervure

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/sensors"
	"github.com/nervure/nervure/synth"
)

func messySignals(t *testing.T, vertices, observations int) *Signals {
	t.Helper()
	r, err := synth.Messy(synth.MessySpec{Vertices: vertices, Observations: observations, Broken: 3, Kinds: []synth.FaultKind{synth.FaultCode, synth.FaultStuck, synth.FaultJump}, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return &Signals{Y: r.Signals, Times: r.Times}
}

func outOfTimeWarnings(p *Preparation) string {
	var list []string
	for _, w := range p.Warnings {
		if w.Kind == OutOfTime {
			list = append(list, w.Sentence())
		}
	}
	return strings.Join(list, "; ")
}

// A preparation that is stopped is none, wherever it is, and one that is not is the same
// as ever.
func TestStoppedPreparationIsNone(t *testing.T) {
	s := messySignals(t, 12, 400)
	want, err := prepareFor(t.Context(), s, prepare.Options{}, "", leaveToLearner, timeBudget{})
	if err != nil {
		t.Fatal(err)
	}
	for looks := 0; ; looks += 1 + looks/2 {
		got, err := prepareFor(checks.EndsAfter(looks), s, prepare.Options{}, "", leaveToLearner, timeBudget{})
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
	over := timeBudget{limit: time.Minute, begun: time.Now().Add(-time.Hour)}
	for name, c := range map[string]struct {
		options prepare.Options
		want    string
	}{
		"nothing asked for":        {prepare.Options{}, "the time limit left no time to look for cycles and trends"},
		"cycles asked for":         {prepare.Options{Season: Yes, Detrend: No}, "the time limit left no time to look for cycles"},
		"trends are to be removed": {prepare.Options{Detrend: Yes, Season: No}, ""},
		"periods are given":        {prepare.Options{Detrend: No, Periods: []float64{24}}, ""},
	} {
		p, err := prepareFor(t.Context(), s, c.options, "", leaveToLearner, over)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		told := outOfTimeWarnings(p)
		if p.Sensors != SensorsCutShort || !strings.Contains(told, "ended the search for faults") {
			t.Errorf("%s: sensors %s, warnings %q", name, p.Sensors, told)
		}
		if !strings.Contains(told, c.want) || c.want == "" && strings.Contains(told, "look for") {
			t.Errorf("%s: warnings %q, want %q", name, told, c.want)
		}
		if lost := strings.Contains(told, "cycles"); lost != (p.Report.Season.Sentence == "cycles not looked for: the time was up") {
			t.Errorf("%s: warnings %q, and of cycles: %q", name, told, p.Report.Season.Sentence)
		}
		if p.Report.Detrend.Done != (c.options.Detrend == Yes) || p.Report.Season.Done != (c.options.Periods != nil) {
			t.Errorf("%s: done %q", name, p.Report.Sentence())
		}
		if !p.hurried || !reflect.DeepEqual(p.Options.Season, c.options.Season) {
			t.Errorf("%s: hurried %t, season %q", name, p.hurried, p.Options.Season)
		}
	}
}

// Faults that were found before the time was up are set aside, and the summary says that
// there may be more.
func TestFaultsFoundInTimeCount(t *testing.T) {
	s := messySignals(t, 12, 400)
	all, err := sensors.Find(t.Context(), s.Y, nil, s.Times)
	if err != nil {
		t.Fatal(err)
	}
	p := &Preparation{SensorFindings: SensorFindings{Faults: all[:1], Masked: 1, Sensors: SensorsCutShort}}
	p.warnOfSensors(leaveToLearner, nil)
	if got := p.sensorsDocument(make([]string, 12)); got.Check != "cut short" || len(got.Faults) != 1 {
		t.Errorf("got %+v", got)
	}
	if told := p.Sentences(); len(told) != 2 || !strings.Contains(told[0], "may be more") || !strings.Contains(told[1], "1 value set aside") {
		t.Errorf("got %q", told)
	}
}

// A limit that passes while signals are prepared ends with a graph, and is no secret.
func TestTimeLimitInPreparationEndsWithAGraph(t *testing.T) {
	s := messySignals(t, 60, 3000)
	o := Options{Method: baseline.Correlation{}, TimeLimit: 200 * time.Millisecond}
	a, err := Learn(t.Context(), s, o)
	for err != nil && o.TimeLimit < time.Minute && strings.HasPrefix(err.Error(), "no graph could be learned within the time limit") {
		o.TimeLimit *= 2 // a busy machine
		a, err = Learn(t.Context(), s, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := a.Preparation
	if a.Graph.EdgeCount() == 0 || p.Sensors != SensorsCutShort || !a.Summary().LimitReached {
		t.Errorf("%d edges, sensors %s, limit reached: %t", a.Graph.EdgeCount(), p.Sensors, a.LimitReached)
	}
	if told := outOfTimeWarnings(p); told == "" || !slices.ContainsFunc(a.Warnings(), func(w string) bool { return strings.HasPrefix(told, w) }) {
		t.Errorf("warnings %q", a.Warnings())
	}
}

// Ctrl-C while signals are prepared ends the run soon, with its cause and no graph.
func TestStopReachesThePreparation(t *testing.T) {
	s := &Signals{Y: mat.DenseCopyOf(checks.Chain(1, 300, 3000))}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	begun := checks.CPUTime(t)
	a, err := Learn(ctx, s, Options{})
	if a != nil || !errors.Is(err, why) {
		t.Errorf("got %v and %v", a, err)
	}
	if took := checks.CPUTime(t) - begun; took > 5*time.Second { // usually a fifth of one
		t.Errorf("took %s", took)
	}
}
