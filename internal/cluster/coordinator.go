//go:build !js

package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/task"
)

// A Runner is a coordinator: it queues tasks for workers and collects their results.
type Runner struct {
	options Options
	me      identity
	conn    *conn
	server  *embedded // nil if the servers are others'
	crew    crew
	kept    map[runID]reader // runs of which all is left with the servers until Close
}

var _ task.Runner = (*Runner)(nil)

const defaultAckWait = 30 * time.Second

// Open connects to the servers, or starts one. Close the runner after use.
func Open(ctx context.Context, o Options) (*Runner, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o.AckWait = cmp.Or(o.AckWait, defaultAckWait)
	r := &Runner{options: o, me: o.identity(), kept: map[runID]reader{}}
	link := o.Link
	var more []nats.Option
	addr, listen, err := o.listenAddress()
	if err != nil {
		return nil, err
	}
	if listen {
		if r.server, err = startServer(ctx, addr, o); err != nil {
			return nil, err
		}
		link.URL, link.TLS = "", nil // within this process
		more = append(more, nats.InProcessServer(r.server))
	}
	if r.conn, err = dial(ctx, link, patience, more...); err == nil {
		err = r.listen()
	}
	if err != nil {
		return nil, r.fail(err)
	}
	return r, nil
}

func (r *Runner) fail(err error) error {
	r.Close()
	return err
}

// Close ends the connection and the server, if it is the runner's own. What it stores
// stays, if there is a directory for it.
func (r *Runner) Close() {
	if r.conn != nil {
		for id := range r.kept {
			r.tidy(context.Background(), id, true)
		}
		r.conn.nc.Close()
	}
	if r.server != nil {
		r.server.stop()
	}
}

// URL is what workers are given to take part.
func (r *Runner) URL() string {
	if r.server == nil {
		return r.options.URL
	}
	u := url.URL{Scheme: "nats", Host: r.server.addr}
	if r.options.TLS != nil {
		u.Scheme = "tls"
	}
	return u.String()
}

// Workers returns how many tasks the workers that are there do at a time.
func (r *Runner) Workers() int { return r.crew.threads(time.Now()) }

// listen hears the workers.
func (r *Runner) listen() error {
	_, err := r.conn.nc.Subscribe(aliveSubject+r.me.key(), func(m *nats.Msg) {
		var s sign
		if json.Unmarshal(m.Data, &s) == nil {
			r.crew.heard(s, time.Now())
		}
	})
	return err
}

// Run keeps the contract of [task.Runner]. If ctx ends, or the loop is left, the results
// that there are stay with the servers, and a Run of the same tasks takes them up; if it
// is complete, nothing stays.
func (r *Runner) Run(ctx context.Context, tasks []task.Task, data task.Source) iter.Seq2[task.Result, error] {
	return func(yield func(task.Result, error) bool) {
		if len(tasks) == 0 {
			return
		}
		j, err := r.newJob(tasks, data)
		if err != nil {
			yield(task.Result{}, err)
			return
		}
		left, err := j.do(ctx, yield)
		whole := err == nil && !left
		if r.options.Keep && whole {
			r.kept[j.id] = j.at
			return
		}
		delete(r.kept, j.id)
		r.tidy(ctx, j.id, whole)
		if err != nil && !left {
			yield(task.Result{}, err)
		}
	}
}

// A job is a call of Run.
type job struct {
	*Runner
	id     runID
	callID string // tells it from other calls for the same run
	source task.Source
	found  chan task.Result
	look   chan struct{} // has an element if the queue should be looked at

	keys []string // of the tasks, in their order
	at   reader   // of the results; only collect moves it

	mu      sync.Mutex
	pending map[string]task.Task // by key, those without a result
}

func (r *Runner) newJob(tasks []task.Task, data task.Source) (*job, error) {
	j := &job{
		Runner: r, callID: rand.Text(), source: data, found: make(chan task.Result), look: make(chan struct{}, 1),
		pending: make(map[string]task.Task, len(tasks)),
	}
	called := map[string]bool{}
	for _, t := range tasks {
		if called[t.ID] {
			return nil, fmt.Errorf("cluster.Run: two tasks have the ID %q", t.ID)
		}
		called[t.ID] = true
		key := taskKey(t)
		j.pending[key] = t
		j.keys = append(j.keys, key)
	}
	var name any = j.keys
	if r.options.Run != "" {
		name = r.options.Run
	}
	j.id = runID(digest([]any{r.me, name})[:24])
	// Earlier calls of a run that is kept may have read results that this one asks for.
	if before := r.kept[j.id]; !slices.ContainsFunc(j.keys, func(key string) bool { return before.passed[key] }) {
		j.at = before
	}
	return j, nil
}

// do yields the results, and reports whether the loop was left.
func (j *job) do(ctx context.Context, yield func(task.Result, error) bool) (left bool, err error) {
	ctx, stop := j.conn.within(ctx)
	var parts guard.Group
	defer parts.Wait() // no goroutine is left behind
	defer stop(nil)
	refusals, err := j.conn.nc.Subscribe(j.id.refusals(), func(m *nats.Msg) { j.conn.report(string(m.Data)) })
	if err != nil {
		return false, err
	}
	defer func() { _ = refusals.Unsubscribe() }()
	for _, part := range []func(context.Context) error{j.queue, j.collect} {
		parts.Go(func() {
			if err := guard.Run("the work of others", func() error { return part(ctx) }); err != nil {
				stop(err)
			}
		})
	}
	for range j.keys {
		select {
		case <-ctx.Done():
		case result := <-j.found:
			if ctx.Err() == nil {
				if !yield(result, nil) {
					return true, nil
				}
				continue
			}
		}
		return false, context.Cause(ctx)
	}
	return false, nil
}

// tidy deletes what the servers keep of a run or, if it will be taken up again, what
// workers would still begin.
func (r *Runner) tidy(ctx context.Context, id runID, whole bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTimeout)
	defer cancel()
	ctx, stop := r.conn.within(ctx)
	defer stop(nil)
	streams := []string{id.tasks()}
	if whole {
		streams = append(streams, id.results(), id.objects())
	}
	if err := id.remove(ctx, r.conn, streams...); err != nil {
		r.conn.report(fmt.Sprintf("could not clean up run %s on the servers: %s", id, err))
	}
}

// take removes a task from those without a result, and reports whether it was one.
func (j *job) take(key string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ok := j.pending[key]
	delete(j.pending, key)
	return ok
}

// waiting returns a task that has no result yet.
func (j *job) waiting(key string) (task.Task, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t, ok := j.pending[key]
	return t, ok
}

// tell hands a result to the loop.
func (j *job) tell(ctx context.Context, r task.Result) error {
	select {
	case j.found <- r:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
