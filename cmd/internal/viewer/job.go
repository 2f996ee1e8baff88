package viewer

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/nervure/nervure/document"
)

// A jobState is how far a job has come.
type jobState int

const (
	draft   jobState = iota // its files are being uploaded
	waiting                 // for others to end
	running
	ended
)

// A job is a run with its files, done once.
type job struct {
	id   string
	root *os.Root // its directory
	log  *eventLog

	// These are guarded by the mutex of the Server.
	state    jobState
	run      *document.Run    // nil of a draft
	uploads  map[string]int64 // bytes by name
	returned bool             // it has results of an earlier run, and is not to run itself
	requests int              // being answered
	arriving map[string]bool  // names of uploads on their way
	used     time.Time        // when its last request was answered
	gone     bool             // deleted, with its files
	watchers int
	away     *time.Timer // runs while nobody watches

	stopOnce sync.Once
	stopped  chan struct{} // closed when the job is to end
	done     chan struct{} // closed when its process is gone

	convertMu sync.Mutex // one conversion of its graph at a time

	restored bool // from an earlier server
}

// openJob returns a job with no files.
func openJob(id string, root *os.Root) *job {
	return &job{
		id: id, root: root, log: newEventLog(), uploads: map[string]int64{}, arriving: map[string]bool{},
		stopped: make(chan struct{}), done: make(chan struct{}),
	}
}

// stop asks a job to end and keep the best it has. It may be called at any time.
func (j *job) stop() { j.stopOnce.Do(func() { close(j.stopped) }) }

// fileNames lists the uploads of a job.
func (j *job) fileNames() []string { return slices.Sorted(maps.Keys(j.uploads)) }

func (j *job) size() (total int64) {
	for _, n := range j.uploads {
		total += n
	}
	return total
}

// A refusal is an answer to a request that cannot be granted.
type refusal struct {
	status int // of HTTP
	msg    string
}

func (r *refusal) Error() string { return r.msg }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// bytesInWords returns a size as people read it.
func bytesInWords(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.3g GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.3g MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%d bytes", n)
}
