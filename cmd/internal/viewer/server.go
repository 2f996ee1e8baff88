package viewer

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/nervure/nervure/cmd/internal/faults"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/memory"
)

// A Server is the page with jobs that run on this machine. It serves whoever has
// its token, and nobody by way of another site.
type Server struct {
	program string
	config  Config
	limits  Limits
	token   string
	hosts   hostList
	dir     string // of all jobs
	keeps   bool   // jobs outlive the server; see keep.go
	release func() // lets another server have the directory, or remove it

	working guard.Group // what is done aside

	mu     sync.Mutex
	jobs   []*job // oldest first
	queue  []*job // those that wait
	atWork int
	closed bool
	doors  []func() // each removes a file that leads to the page; see guard.go
}

// NewServer returns a server for a listener's address. program is the executable
// of nervure that runs the jobs.
func NewServer(program string, c Config, l Limits, address net.Addr) (*Server, error) {
	dir, release, err := uploads.Mkdir(os.TempDir())
	if err != nil {
		return nil, err
	}
	return &Server{program: program, config: c, limits: l.resolve(), token: rand.Text(), hosts: newHostList(address), dir: dir, release: release}, nil
}

// URL is where to open the page. It has the token, which becomes a cookie.
func (s *Server) URL() string { return "http://" + s.hosts.main + "/?token=" + s.token }

// Serve answers requests until ctx ends, and then closes the server.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Streams end with ctx, so that stopping does not wait for them.
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	failed := make(chan error, 1)
	s.aside(func() { failed <- h.Serve(l) })
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if h.Shutdown(patience) != nil {
			h.Close()
		}
	}
	return errors.Join(err, s.Close())
}

// aside does work that nobody waits for. A fault in it is told where the server was started.
func (s *Server) aside(work func()) {
	s.working.Go(func() {
		if err := guard.Run("work of the server", func() error { work(); return nil }); err != nil {
			fmt.Fprintln(os.Stderr, "nervure: "+told(err))
		}
	})
}

// told returns the sentence about a fault of the server, whose report has been written.
func told(err error) string {
	about := faults.Case{Command: []string{"serve"}}
	return about.Told(err).Error()
}

// mended answers with a sentence where the handler has a fault.
func mended(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := guard.Run("an answer of the server", func() error { next.ServeHTTP(w, r); return nil })
		if err != nil {
			answer(w, errors.New(told(err)))
		}
	})
}

// Close stops all jobs and removes their files, unless they are kept.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.queue = nil
	var left []*job
	for _, j := range s.jobs {
		if j.state == running {
			j.stop()
			left = append(left, j)
		}
	}
	s.mu.Unlock()
	s.closeDoors()
	for _, j := range left {
		<-j.done
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keeps {
		for _, j := range s.jobs {
			j.root.Close()
		}
		s.jobs = nil
		s.release()
		return nil
	}
	for len(s.jobs) > 0 {
		s.drop(s.jobs[0])
	}
	defer s.release()
	return os.RemoveAll(s.dir)
}

// uploads is how the directories of servers are called, which may have people's signals
// in them. The next server removes those that a killed one has left.
var uploads = durable.Temporaries{Prefix: "nervure-serve-"}

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
	l.Upload = cmp.Or(l.Upload, 256e6)
	l.Memory = cmp.Or(l.Memory, min(4<<30, memory.Limit()/2))
	l.Time = cmp.Or(l.Time, time.Hour)
	l.Running = cmp.Or(l.Running, 1)
	l.Queue = cmp.Or(l.Queue, 8)
	l.Kept = cmp.Or(l.Kept, 24)
	l.Idle = cmp.Or(l.Idle, time.Minute)
	l.Away = cmp.Or(l.Away, 10*time.Second)
	l.Body = cmp.Or(l.Body, 30*time.Second)
	return l
}

// stored is the most that all uploads together may take on disk.
func (l Limits) stored() int64 { return 4 * l.Upload }
