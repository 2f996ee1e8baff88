//go:build !js

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/task"
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
		wake: make(chan struct{}), cache: newCache(cacheSize()),
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
	var parts guard.Group
	parts.Go(func() { w.sayAlive(ctx) })
	if w.options.Idle > 0 {
		parts.Go(func() { w.endWhenIdle(ctx, stop) })
	}
	for range w.threads() {
		parts.Go(func() {
			if err := guard.Run("the worker", func() error { return w.take(ctx) }); err != nil {
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

// cacheSize is how many bytes of data a worker keeps for the tasks to come: an eighth of the memory, and not
// too little for signals that many tasks share.
func cacheSize() int { return int(max(256<<20, memory.Limit()/8)) }

// A cache keeps the data that were used last. Its data are shared and not to be changed.
type cache struct {
	mu     sync.Mutex
	limit  int
	size   int
	held   map[task.Hash]*held
	recent []task.Hash // the last one last
}

type held struct {
	once sync.Once
	data []byte
	err  error
}

func newCache(limit int) *cache { return &cache{limit: limit, held: map[task.Hash]*held{}} }

// get returns the data of a hash, which are fetched once for all who ask at a time.
func (c *cache) get(hash task.Hash, fetch func() ([]byte, error)) ([]byte, error) {
	c.mu.Lock()
	h, ok := c.held[hash]
	if !ok {
		h = &held{}
		c.held[hash] = h
	}
	c.mu.Unlock()
	h.once.Do(func() { h.data, h.err = fetch() })
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case h.err != nil && c.held[hash] == h: // the next one tries again
		delete(c.held, hash)
	case h.err == nil && c.held[hash] == h:
		c.use(hash, len(h.data))
	}
	return h.data, h.err
}

// use makes a hash the last one that was used, and drops others if they are too many.
func (c *cache) use(hash task.Hash, size int) {
	if at := slices.Index(c.recent, hash); at >= 0 {
		c.recent = slices.Delete(c.recent, at, at+1)
	} else {
		c.size += size
	}
	c.recent = append(c.recent, hash)
	for c.size > c.limit && len(c.recent) > 1 {
		old := c.recent[0]
		c.recent = c.recent[1:]
		c.size -= len(c.held[old].data)
		delete(c.held, old)
	}
}
