package viewer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func names(t *testing.T, entries []entry) (list []string) {
	t.Helper()
	for _, e := range entries {
		var fields struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal(e.event, &fields); err != nil {
			t.Fatalf("%s: %v", e.event, err)
		}
		list = append(list, fields.Event)
	}
	return list
}

func TestALineBecomesEvents(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"words", "learned 3 edges", "words"},
		{"words that begin with a brace", "{not json", "words"},
		{"JSON that is no event", `{"a":1}`, "words"},
		{"bytes that are no text", "\xff\xfe", "words"},
		{"a step", `{"event":"step","round":1}`, "step"},
		{"a step with a graph", `{"event":"step","graph":{"edges":[],"x":[],"y":[]}}`, "graph step"},
		{"the first graph", `{"event":"step","graph":{"vertices":["a"],"edges":[],"x":[0],"y":[0]}}`, "vertices graph step"},
		{"a graph alone", `{"event":"graph","edges":1,"graph":{"vertices":["a"],"edges":[]}}`, "vertices graph"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newEventLog()
			l.hear([]byte(c.line))
			events, _, _ := l.since(0)
			if got := strings.Join(names(t, events), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Memory stays bounded however long a job runs, and yet the end of what it told is
// there: of graphs one is kept, of steps and messages that many, of a line so much.
func TestALogIsBoundedAndKeepsTheEnd(t *testing.T) {
	l := newEventLog()
	big := strings.Repeat("1,", 100) + "1"
	steps := 3 * most[aStep]
	for k := range steps {
		l.hear(fmt.Appendf(nil, `{"event":"step","round":%d,"graph":{"edges":[[%d,%s]]}}`, k, k, big))
	}
	l.hear([]byte("exact: all edges are right"))
	l.hear([]byte(strings.Repeat("x", 10*maxWords)))
	l.end(endEvent{})
	l.hear([]byte("too late"))
	entries, closed, _ := l.since(0)
	kept := 0
	for k, e := range entries {
		kept += len(e.event)
		if k > 0 && e.id <= entries[k-1].id {
			t.Fatalf("%d comes after %d", e.id, entries[k-1].id)
		}
	}
	if want := most[aStep] + most[aGraph] + 3; !closed || len(entries) != want || kept > 100*want {
		t.Errorf("closed %t, %d events of %d bytes, want %d", closed, len(entries), kept, want)
	}
	if got := strings.Join(names(t, entries[len(entries)-5:]), " "); got != "graph step words words end" {
		t.Errorf("it ends with %s", got)
	}
	if last := string(entries[len(entries)-4].event); !strings.Contains(last, fmt.Sprintf(`"round":%d`, steps-1)) {
		t.Errorf("the last step is %s", last)
	}
	if rest, _, _ := l.since(2 * steps); len(rest) != 3 { // each step was two events
		t.Errorf("%d events come after the steps", len(rest))
	}
}
