package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nervure/nervure"
)

// A page whose edges have a confidence says what that is worth, unless the graph is proved; the worst
// family comes first.
func TestThePageSaysWhatConfidenceIsWorth(t *testing.T) {
	list := reliability()
	if len(list) < 10 || list[0].True == "100%" || !strings.HasSuffix(list[0].Recall, "%") {
		t.Fatalf("got %+v", list)
	}
	run := someRun(t)
	for _, c := range []struct {
		confidence bool
		grade      nervure.Grade
		want       bool
	}{{true, nervure.Supported, true}, {true, nervure.Exact, false}, {false, nervure.Supported, false}} {
		page := run
		page.Grade = c.grade
		if c.confidence {
			g, err := run.Graph.WithConfidence(make([]float64, run.Graph.EdgeCount()))
			if err != nil {
				t.Fatal(err)
			}
			page.Graph = g
		}
		var b bytes.Buffer
		if err := write(t.Context(), &b, page); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "What confidence is worth"); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}
