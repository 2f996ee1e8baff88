package viewer

import (
	"time"

	"github.com/nervure/nervure/internal/memory"
)

// Limits keep what the page asks for within bounds. Zero stands for the default.
type Limits struct {
	Upload  int64         // most bytes of an uploaded file; 256 MB
	Memory  int64         // most bytes of memory of a job; 4 GiB, or half of what there is
	Time    time.Duration // after which a job is stopped and its best graph kept; 1 h
	Running int           // jobs at the same time; 1
	Queue   int           // jobs that may wait; 8
	Kept    int           // jobs with their files; 24
	Idle    time.Duration // without a request, after which a job may give way to a new one; 1 min
	Away    time.Duration // for which a job goes on although nobody watches; 10 s
	Body    time.Duration // that a request may take to arrive, unless it is an upload; 30 s
}

func (l Limits) resolve() Limits {
	if l.Upload == 0 {
		l.Upload = 256e6
	}
	if l.Memory == 0 {
		l.Memory = min(4<<30, memory.Limit()/2)
	}
	if l.Time == 0 {
		l.Time = time.Hour
	}
	if l.Running == 0 {
		l.Running = 1
	}
	if l.Queue == 0 {
		l.Queue = 8
	}
	if l.Kept == 0 {
		l.Kept = 24
	}
	if l.Idle == 0 {
		l.Idle = time.Minute
	}
	if l.Away == 0 {
		l.Away = 10 * time.Second
	}
	if l.Body == 0 {
		l.Body = 30 * time.Second
	}
	return l
}

// stored is the most that all uploads together may take on disk.
func (l Limits) stored() int64 { return 4 * l.Upload }
