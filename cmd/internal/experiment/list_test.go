package experiment

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
)

func declared(t *testing.T, instances int) []*Experiment {
	t.Helper()
	var all []*Experiment
	for _, name := range Names() {
		e, err := Declare(name, instances)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// Cells are told apart by their names, and graphs that were tuned on are not
// measured on.
func TestExperimentsAreWellFormed(t *testing.T) {
	for _, e := range declared(t, 0) {
		if e.Title == "" || e.Claim == "" || e.Source == "" || e.Tables == nil || About(e.Name) == "" || e.Size() == 0 {
			t.Errorf("%s is not fully declared", e.Name)
		}
		for _, s := range e.Stages {
			seen := map[string]bool{}
			for _, c := range s.Cells {
				if seen[c.Name()] {
					t.Errorf("%s: two cells are called %s", e.Name, c.Name())
				}
				seen[c.Name()] = true
			}
			last := s.Seeds.First + uint64(s.Seeds.Count)
			if s.Name == Tuning && last > firstMeasuringSeed || s.Name == Measuring && s.Seeds.First < firstMeasuringSeed {
				t.Errorf("%s: seeds %+v of stage %s", e.Name, s.Seeds, s.Name)
			}
		}
		if e.Stages[len(e.Stages)-1].Name != Measuring {
			t.Errorf("%s does not end with measuring", e.Name)
		}
		if len(e.Tables(nil)) == 0 {
			t.Errorf("%s has no tables before the first record", e.Name)
		}
	}
}

func TestInstancesLimitTheGraphsOfACell(t *testing.T) {
	for _, e := range declared(t, 2) {
		for _, s := range e.Stages {
			if s.Seeds.Count < 1 || s.Seeds.Count > 2 {
				t.Errorf("%s: %d seeds in stage %s", e.Name, s.Seeds.Count, s.Name)
			}
		}
	}
	if _, err := Declare("table3", 0); err == nil {
		t.Error("there is a table 3")
	}
}

// The manifest of the same experiment is the same whenever it is declared.
func TestDeclarationsAreDeterministic(t *testing.T) {
	for k, e := range declared(t, 3) {
		a, errA := e.manifest(Build{})
		b, errB := declared(t, 3)[k].manifest(Build{})
		if errA != nil || errB != nil || string(a) != string(b) || !json.Valid(a) {
			t.Errorf("%s: manifests differ", e.Name)
		}
	}
}

// Measuring a real cell twice gives the same values, and nothing in them is
// anything but a finite number or a string.
func TestMeasuresAreDeterministicAndFinite(t *testing.T) {
	small := paperSetting(12, 40, 2)
	for _, recipe := range recipes {
		var found []Values
		for range 2 {
			v, err := small.measure(t.Context(), recipe, 5)
			if err != nil {
				t.Fatal(err)
			}
			delete(v, secondsKey)
			found = append(found, v)
			if _, err := newRecord(recordKey{Measuring, "x", 5}, Cell{}, v, 0); err != nil {
				t.Error(err)
			}
		}
		if !maps.Equal(found[0], found[1]) {
			t.Errorf("%s: %v and %v", recipe, found[0], found[1])
		}
	}
}

func TestPerturbedKernelsAreThoseOfThePaper(t *testing.T) {
	drawn := map[string][]kernel.Kernel{}
	for _, p := range perturbations() {
		k, err := p.kernels(3)
		if err != nil {
			t.Fatal(err)
		}
		drawn[p.name] = k
	}
	for s, k := range learn.PaperModel().Kernels {
		if !slices.Equal(drawn["tau+0"][s].Series(), k.Series()) {
			t.Errorf("kernel %d without perturbation is another one", s)
		}
		scattered := drawn["coefficients±10%"][s].Coef()
		moved := 0
		for i, a := range k.Coef() {
			if scattered[i] != a {
				moved++
			}
			if d := scattered[i] - a; d*d > 0.01*a*a*(1+1e-12) {
				t.Errorf("kernel %d: coefficient %d is %g, from %g", s, i, scattered[i], a)
			}
		}
		if moved < 15 {
			t.Errorf("kernel %d: only %d coefficients moved", s, moved)
		}
	}
	if got := drawn["tau+1"][0].Eval(0); got != 1 && (got-1)*(got-1) > 1e-20 {
		t.Errorf("e^(−3λ) at 0 is %g", got)
	}
}
