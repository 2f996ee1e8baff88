package viewer

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
)

// An event is what a job tells those who watch it, as JSON.
type event []byte

// newEvent makes an event of a value with a field "event".
func newEvent(value any) event {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err) // values are ours
	}
	return b
}

// The events that are not the program's own.
type (
	queuedEvent struct {
		Event string `json:"event"` // queued
		Ahead int    `json:"ahead"` // jobs that come before
	}
	wordsEvent struct {
		Event string `json:"event"` // words
		Text  string `json:"text"`
	}
	endEvent struct {
		Event string   `json:"event"` // end
		Code  int      `json:"code"`
		Error string   `json:"error,omitempty"`
		Files []string `json:"files"` // that can be downloaded
	}
)

// Most events and most characters of a line of words that are kept of a job.
const (
	maxEvents = 50_000
	maxWords  = 4_000
)

// An eventLog keeps what a job told, so that whoever comes late, or lost the
// connection, hears all of it. Of graphs only the latest is kept: who is slow
// skips those in between.
type eventLog struct {
	mu      sync.Mutex
	events  []event // nil where a graph was replaced
	graph   int     // index of the latest graph, or -1
	closed  bool
	changed chan struct{} // closed when something is new
}

func newEventLog() *eventLog { return &eventLog{graph: -1, changed: make(chan struct{})} }

// add appends an event. The last one closes the log.
func (l *eventLog) add(e event, isGraph, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || (len(l.events) >= maxEvents && !last) {
		return
	}
	if isGraph {
		if l.graph >= 0 {
			l.events[l.graph] = nil
		}
		l.graph = len(l.events)
	}
	l.events = append(l.events, e)
	l.closed = last
	close(l.changed)
	l.changed = make(chan struct{})
}

// after returns the events from index k on, whether there will be no more, and
// what is closed when there are.
func (l *eventLog) after(k int) (events []event, closed bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k < len(l.events) {
		events = append(events, l.events[k:]...)
	}
	return events, l.closed, l.changed
}

// hear takes a line of a program's standard error. A JSON object is an event; its
// graph becomes an event of its own, and the names of vertices another. All other
// lines are words for people.
func (l *eventLog) hear(line []byte) {
	line = bytes.TrimRight(line, "\r\n")
	var fields map[string]json.RawMessage
	if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &fields) != nil || fields["event"] == nil {
		words := strings.ToValidUTF8(string(line[:min(len(line), maxWords)]), "\uFFFD")
		l.add(newEvent(wordsEvent{"words", words}), false, false)
		return
	}
	var drawing map[string]json.RawMessage
	if json.Unmarshal(fields["graph"], &drawing) == nil && drawing != nil {
		if names := drawing["vertices"]; names != nil {
			l.add(newEvent(map[string]any{"event": "vertices", "vertices": names}), false, false)
			delete(drawing, "vertices")
		}
		drawing["event"] = json.RawMessage(`"graph"`)
		l.add(newEvent(drawing), true, false)
		if string(fields["event"]) == `"graph"` { // nothing but the graph
			return
		}
		delete(fields, "graph")
	}
	l.add(newEvent(fields), false, false)
}
