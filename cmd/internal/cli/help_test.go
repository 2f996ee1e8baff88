package cli

import (
	"strings"
	"testing"

	"github.com/nervure/nervure"
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
