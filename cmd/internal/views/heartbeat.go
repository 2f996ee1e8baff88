package views

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// patience is how long a run may take before it says anything where nobody watches: most are over
	// by then, and a log has nothing of them.
	patience = 10 * time.Second
	// betweenBeats is how long it is silent after that.
	betweenBeats = 30 * time.Second
)

// A heartbeat is the progress of a run whose messages go to a file or another program: a line when a
// stage begins, and one every half minute, also while there is nothing new to tell.
type heartbeat struct {
	w io.Writer

	mu    sync.Mutex
	begun time.Time // the run
	told  time.Time // the last line; the zero time if there is none
	line  string    // that says what is being done
	timer *time.Timer
}

func newHeartbeat(w io.Writer) *heartbeat { return &heartbeat{w: w, begun: time.Now()} }

// is told what is being done, and whether that is another stage.
func (h *heartbeat) is(line string, another bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.line = line
	if another && time.Since(h.begun) >= patience {
		h.tell()
	}
	if h.timer == nil {
		h.timer = time.AfterFunc(h.next(), h.beat)
	}
}

// stop ends the beats: the stage is over, and another may begin.
func (h *heartbeat) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
}

// beat tells what is being done once more.
func (h *heartbeat) beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer == nil { // it was stopped meanwhile
		return
	}
	if h.next() <= 0 { // else another line came first
		h.tell()
	}
	h.timer.Reset(h.next())
}

// next is how long it is until the next line is due.
func (h *heartbeat) next() time.Duration {
	if h.told.IsZero() {
		return patience - time.Since(h.begun)
	}
	return betweenBeats - time.Since(h.told)
}

func (h *heartbeat) tell() {
	h.told = time.Now()
	fmt.Fprintln(h.w, Wrapped(fmt.Sprintf("%s (after %s)", h.line, InWords(time.Since(h.begun).Seconds()))))
}
