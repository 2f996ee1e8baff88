package viewer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func names(t *testing.T, events []event) (list []string) {
	t.Helper()
	for _, e := range events {
		var fields struct {
			Event string `json:"event"`
		}
		if e == nil {
			list = append(list, "-")
			continue
		}
		if err := json.Unmarshal(e, &fields); err != nil {
			t.Fatalf("%s: %v", e, err)
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
			events, _, _ := l.after(0)
			if got := strings.Join(names(t, events), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Memory stays bounded however long a job runs: of graphs one is kept, of events
// so many, of a line so much.
func TestALogIsBounded(t *testing.T) {
	l := newEventLog()
	big := strings.Repeat("1,", 100) + "1"
	for k := range maxEvents + 100 {
		l.hear(fmt.Appendf(nil, `{"event":"graph","graph":{"edges":[[%d,%s]]}}`, k, big))
	}
	l.hear([]byte(strings.Repeat("x", 10*maxWords)))
	l.add(newEvent(endEvent{Event: "end"}), false, true)
	l.hear([]byte("too late"))
	events, closed, _ := l.after(0)
	kept := 0
	for _, e := range events {
		kept += len(e)
	}
	if !closed || len(events) != maxEvents+1 || kept > 100*len(big) {
		t.Errorf("closed %t, %d events of %d bytes", closed, len(events), kept)
	}
	if last := names(t, events[len(events)-1:]); last[0] != "end" {
		t.Errorf("the last event is %s", last[0])
	}
}
