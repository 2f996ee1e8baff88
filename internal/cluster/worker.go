//go:build !js

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// errIdle ends a worker that has had nothing to do.
var errIdle = errors.New("idle")

// Work takes tasks and does them until there were none for o.Idle, which is no error, or
// ctx ends. A task that ctx cuts short goes to another worker at once. A worker of another
// build or arithmetic than all runs that there are gets a [*RefusedError].
func Work(ctx context.Context, o WorkerOptions) error {
	if err := o.Check(); err != nil {
		return err
	}
	if _, listen, _ := o.listenAddress(); listen {
		return errors.New("a worker joins a server and does not start one: give it the address of a server")
	}
	c, err := dial(ctx, o.Link, o.Idle)
	if err != nil {
		return err
	}
	defer func() {
		_ = c.nc.FlushTimeout(time.Second) // tasks that were given back; if they are lost, silence tells
		c.nc.Close()
	}()
	w := &worker{
		options: o, me: o.identity(), conn: c, name: cmp.Or(o.Name, workerName()),
		wake: make(chan struct{}), cache: newCache(cacheSize),
	}
	w.rested(time.Now())
	return w.work(ctx)
}

type worker struct {
	options WorkerOptions
	me      identity
	conn    *conn
	name    string
	cache   *cache
	last    atomic.Int64 // when it last had something to do, in nanoseconds
	busy    atomic.Int32 // tasks that are being done
	worked  atomic.Bool  // it was not refused by everybody

	mu   sync.Mutex
	wake chan struct{} // closed when tasks may have come
}

func (w *worker) threads() int { return max(w.options.Threads, 1) }

func (w *worker) rested(now time.Time) { w.last.Store(now.UnixNano()) }

func (w *worker) work(ctx context.Context) error {
	ctx, stop := w.conn.within(ctx)
	defer stop(nil)
	if _, err := w.conn.nc.Subscribe(begunSubject, func(*nats.Msg) { w.awake() }); err != nil {
		return err
	}
	var parts sync.WaitGroup
	parts.Go(func() { w.sayAlive(ctx) })
	if w.options.Idle > 0 {
		parts.Go(func() { w.endWhenIdle(ctx, stop) })
	}
	for range w.threads() {
		parts.Go(func() {
			if err := w.take(ctx); err != nil {
				stop(err)
			}
		})
	}
	parts.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errIdle) {
		return err
	}
	return nil
}

// awake lets the threads that wait look for tasks.
func (w *worker) awake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.wake)
	w.wake = make(chan struct{})
}

// pause waits for tasks, and not longer than d.
func (w *worker) pause(ctx context.Context, d time.Duration) {
	w.mu.Lock()
	wake := w.wake
	w.mu.Unlock()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-t.C:
	}
}

// sayAlive lets coordinators know that the worker is there, and that it leaves.
func (w *worker) sayAlive(ctx context.Context) {
	for more := true; more; more = sleep(ctx, betweenSigns) {
		w.say(sign{w.name, w.threads()})
	}
	w.say(sign{Name: w.name})
	_ = w.conn.nc.FlushTimeout(time.Second) // nobody hears it if there is no server
}

func (w *worker) say(s sign) {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // of our own type
	}
	_ = w.conn.nc.Publish(aliveSubject+w.me.key(), text) // the next one will be heard
}

// endWhenIdle ends the worker after some time without a task.
func (w *worker) endWhenIdle(ctx context.Context, stop context.CancelCauseFunc) {
	for {
		rest := w.options.Idle - time.Since(time.Unix(0, w.last.Load()))
		if w.busy.Load() > 0 {
			rest = w.options.Idle
		}
		if rest <= 0 {
			stop(errIdle)
			return
		}
		if !sleep(ctx, rest) {
			return
		}
	}
}
