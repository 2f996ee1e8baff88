package cli

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/learn"
)

// The help of learn explains every grade that a verdict can have.
func TestHelpExplainsEveryGrade(t *testing.T) {
	text := strings.ToLower(newLearn(console{}).Long)
	for _, grade := range []nervure.Grade{nervure.Exact, nervure.Supported, nervure.Weak, nervure.NoStructure, nervure.NotChecked} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), string(grade)+":") {
			t.Errorf("learn --help does not explain the grade %q", grade)
		}
	}
}

// The help names the sizes from which on the learner chooses nothing.
func TestHelpKnowsWhereLargeGraphsBegin(t *testing.T) {
	for _, tt := range []struct {
		name  string
		from  int
		value float64
	}{
		{"all values", learn.DefaultLargeFrom, 1},
		{"missing values", learn.DefaultLargeFromMissing, math.NaN()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			chooses := func(vertices int) bool {
				y := mat.NewDense(vertices, 1, nil)
				y.Set(0, 0, tt.value)
				return learn.Sparse{}.ChoosesCommonMode(y)
			}
			if !chooses(tt.from-1) || chooses(tt.from) {
				t.Errorf("the learner does not stop choosing at %d vertices", tt.from)
			}
			if !strings.Contains(aboutModel(), fmt.Sprint(tt.from)) {
				t.Errorf("the help does not say %d", tt.from)
			}
		})
	}
}
