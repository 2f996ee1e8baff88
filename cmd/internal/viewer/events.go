package viewer

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/nervure/nervure/document"
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
	verticesEvent struct {
		Event    string   `json:"event"` // vertices
		Vertices []string `json:"vertices"`
	}
	graphEvent struct {
		Event string `json:"event"` // graph
		*document.DrawnGraph
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

// An eventKind says how many events of a sort are kept.
type eventKind int

const (
	aMessage eventKind = iota // what is worth reading to the end
	aStep
	aGraph
)

// most is how many events of a kind are kept of a job, and maxWords how many
// characters of a line. Beyond, the latest of a kind takes the place of the one
// before: a long job ends with its verdict, not in the middle.
var most = [...]int{aMessage: 5_000, aStep: 5_000, aGraph: 1}

const maxWords = 4_000

// An entry is an event and its place in all that were told.
type entry struct {
	id    int
	kind  eventKind
	event event
}

// An eventLog keeps what a job told, so that whoever comes late, or lost the
// connection, hears of it. Of graphs only the latest is kept: who is slow skips
// those in between.
type eventLog struct {
	mu      sync.Mutex
	entries []entry // by id
	kept    [len(most)]int
	next    int // id of the next event
	closed  bool
	changed chan struct{} // closed when something is new
}

func newEventLog() *eventLog { return &eventLog{changed: make(chan struct{})} }

// add appends an event.
func (l *eventLog) add(e event, kind eventKind) { l.append(e, kind, false) }

// end appends the last event.
func (l *eventLog) end(e endEvent) {
	e.Event = "end"
	l.append(newEvent(e), aMessage, true)
}

func (l *eventLog) append(e event, kind eventKind, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if l.kept[kind] < most[kind] {
		l.kept[kind]++
	} else {
		k := len(l.entries) - 1
		for l.entries[k].kind != kind {
			k--
		}
		l.entries = slices.Delete(l.entries, k, k+1)
	}
	l.entries = append(l.entries, entry{l.next, kind, e})
	l.next++
	l.closed = last
	close(l.changed)
	l.changed = make(chan struct{})
}

// since returns the events with an id of k or more, whether there will be no
// more, and what is closed when there are.
func (l *eventLog) since(k int) (entries []entry, closed bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, _ := slices.BinarySearchFunc(l.entries, k, func(e entry, id int) int { return e.id - id })
	return slices.Clone(l.entries[first:]), l.closed, l.changed
}

// hear takes a line of a program's standard error. A JSON object is an event; its
// graph becomes an event of its own, and the names of vertices another. All other
// lines are words for people.
func (l *eventLog) hear(line []byte) {
	line = bytes.TrimRight(line, "\r\n")
	var told document.Event
	if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &told) != nil || told.Event == "" {
		words := strings.ToValidUTF8(string(line[:min(len(line), maxWords)]), "\uFFFD")
		l.add(newEvent(wordsEvent{"words", words}), aMessage)
		return
	}
	if drawing := told.Graph; drawing != nil {
		if drawing.Vertices != nil {
			l.add(newEvent(verticesEvent{"vertices", drawing.Vertices}), aMessage)
			drawing.Vertices = nil
		}
		l.add(newEvent(graphEvent{"graph", drawing}), aGraph)
		if told.Event == "graph" { // nothing but the graph
			return
		}
		told.Graph = nil
	}
	kind := aMessage
	if told.Event == "step" {
		kind = aStep
	}
	l.add(newEvent(told), kind)
}
