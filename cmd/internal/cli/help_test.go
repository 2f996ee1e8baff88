package cli

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
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

// The help names the size from which on the learner chooses nothing.
func TestHelpKnowsWhereLargeGraphsBegin(t *testing.T) {
	chooses := func(vertices int) bool {
		return learn.Sparse{}.CommonMode(mat.NewDense(vertices, 1, nil), nil) == method.OwnCommonMode
	}
	if from := learn.DefaultLargeFrom; !chooses(from-1) || chooses(from) {
		t.Errorf("the learner does not stop choosing at %d vertices", from)
	}
	if !strings.Contains(aboutModel(), fmt.Sprint(learn.DefaultLargeFrom)) {
		t.Errorf("the help does not say %d", learn.DefaultLargeFrom)
	}
}
