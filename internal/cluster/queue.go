//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/task"
)

// queue sees to it that each task without a result is queued: at the start, after the
// connection was mended, and now and then.
func (j *job) queue(ctx context.Context) error {
	for generation := 0; ; generation++ {
		err := j.settle(ctx, generation)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case notFound(err) || err != nil && passing(err): // a stream went away meanwhile
			if !sleep(ctx, longestPause/4) {
				return context.Cause(ctx)
			}
			continue
		case err != nil:
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-j.look:
		case <-j.conn.again:
		case <-time.After(j.options.AckWait):
		}
	}
}

// settle compares the queue with what is missing, and makes up for the difference.
func (j *job) settle(ctx context.Context, generation int) error {
	if err := j.makeStreams(ctx); err != nil {
		return err
	}
	// In this order: a task that has left the queue has its result.
	queued, err := j.conn.keys(ctx, j.id.tasks(), j.id.allTasks())
	if err != nil {
		return err
	}
	forgotten := false
	if len(queued) > 0 {
		if forgotten, err = j.isForgotten(ctx); err != nil {
			return err
		}
	}
	done, err := j.conn.keys(ctx, j.id.results(), j.id.allResults())
	if err != nil {
		return err
	}
	var missing, drop []string
	j.mu.Lock()
	for _, key := range j.keys {
		if _, ok := j.pending[key]; ok && !done[key] && (forgotten || !queued[key]) {
			missing = append(missing, key)
			if queued[key] {
				drop = append(drop, key)
			}
		}
		delete(queued, key)
	}
	j.mu.Unlock()
	if generation == 0 { // an earlier coordinator wanted these
		drop = slices.AppendSeq(drop, maps.Keys(queued))
	}
	if err := j.unqueue(ctx, drop); err != nil {
		return err
	}
	return j.publishAll(ctx, missing, generation)
}

// isForgotten reports whether the server hands out none of the tasks that are in the queue, and
// waits for no acknowledgement: a server that was killed may know a task and take it for done. A task that
// is queued again although somebody is doing it costs no more than doing it twice.
func (j *job) isForgotten(ctx context.Context) (forgotten bool, err error) {
	err = j.conn.retry(ctx, func(ctx context.Context) error {
		consumer, err := j.conn.js.Consumer(ctx, j.id.tasks(), consumerName)
		if err != nil {
			return err
		}
		about := consumer.CachedInfo()
		forgotten = about.NumPending == 0 && about.NumAckPending == 0
		return nil
	})
	return forgotten, err
}

// makeStreams keeps three copies if it can, unless told otherwise.
func (j *job) makeStreams(ctx context.Context) error {
	replicas := max(j.options.Replicas, 1)
	if j.options.Replicas == 0 && j.conn.nc.ConnectedClusterName() != "" {
		replicas = 3
	}
	err := j.id.create(ctx, j.conn, j.me, j.options.AckWait, replicas)
	if j.options.Replicas == 0 && tooFewServers(err) {
		j.conn.report("the cluster has fewer than three servers, so the run is kept by one alone")
		return j.id.create(ctx, j.conn, j.me, j.options.AckWait, 1)
	}
	return err
}

// unqueue removes tasks from the queue.
func (j *job) unqueue(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if err := j.conn.retry(ctx, func(ctx context.Context) error {
			s, err := j.conn.js.Stream(ctx, j.id.tasks())
			if err != nil {
				return err
			}
			return s.Purge(ctx, jetstream.WithPurgeSubject(j.id.task(key)))
		}); err != nil {
			return err
		}
	}
	return nil
}

// together is how many tasks are published at once; workers begin with the first of them
// while the data of the next are on their way.
const together = 64

func (j *job) publishAll(ctx context.Context, keys []string, generation int) error {
	sent := map[task.Hash]bool{}
	for len(keys) > 0 {
		n := min(together, len(keys))
		var messages []*nats.Msg
		for _, key := range keys[:n] {
			m, err := j.message(ctx, key, generation, sent)
			if err != nil {
				return err
			}
			if m != nil {
				messages = append(messages, m)
			}
		}
		if err := j.publish(ctx, messages); err != nil {
			return err
		}
		if err := j.conn.nc.Publish(begunSubject, nil); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// message makes a message of a task, with its data stored. A task whose data the caller
// cannot give has a fault as its result, and no message.
func (j *job) message(ctx context.Context, key string, generation int, sent map[task.Hash]bool) (*nats.Msg, error) {
	t, ok := j.waiting(key)
	if !ok {
		return nil, nil
	}
	for _, hash := range t.Data {
		if sent[hash] {
			continue
		}
		err := j.conn.put(ctx, j.id, hash, func() ([]byte, error) { return j.source(hash) })
		if fault, ok := errors.AsType[*sourceError](err); ok {
			if j.take(key) {
				return nil, j.tell(ctx, task.Result{ID: t.ID, Fault: fault.Error()})
			}
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		sent[hash] = true
	}
	body, err := j.conn.pack(ctx, j.id, func(c *checkpoint.Coder) { codeTask(c, &t) })
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(j.id.task(key))
	m.Data = body
	// Repeated publishes have the same id. After another look at the queue, and for another
	// coordinator, it is a new one: servers remember ids of messages that are no more.
	m.Header.Set(nats.MsgIdHdr, fmt.Sprintf("%s/%s/%d", key, j.callID, generation))
	return m, nil
}

// publish waits until the servers have all messages.
func (j *job) publish(ctx context.Context, messages []*nats.Msg) error {
	for pause := firstPause; len(messages) > 0; pause = min(2*pause, longestPause) {
		var again []*nats.Msg
		var futures []jetstream.PubAckFuture
		for k, m := range messages {
			future, err := j.conn.js.PublishMsgAsync(&nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
			if err != nil {
				if !passing(err) && !errors.Is(err, jetstream.ErrTooManyStalledMsgs) {
					return err
				}
				again = append(again, messages[k:]...)
				break
			}
			futures = append(futures, future)
		}
		for k, future := range futures {
			select {
			case <-future.Ok():
			case err := <-future.Err():
				switch {
				case isTwice(err): // it is there
				case errors.Is(err, jetstream.ErrNoStreamResponse) && !j.conn.exists(ctx, j.id.tasks()):
					return jetstream.ErrStreamNotFound
				case passing(err):
					again = append(again, messages[k])
				default:
					return err
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		if messages = again; len(messages) > 0 && !sleep(ctx, pause) {
			return context.Cause(ctx)
		}
	}
	return nil
}

// A sign is what workers say now and then.
type sign struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"` // zero: it leaves
}

const (
	betweenSigns = 2 * time.Second
	silence      = 7 * time.Second // after it a worker does not count
)

// A crew is the workers that were heard of.
type crew struct {
	mu   sync.Mutex
	seen map[string]member
}

type member struct {
	threads int
	last    time.Time
}

func (c *crew) heard(s sign, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[string]member{}
	}
	c.seen[s.Name] = member{s.Threads, now}
}

// threads is what all workers together do at a time.
func (c *crew) threads(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := 0
	for name, m := range c.seen {
		if now.Sub(m.last) > silence {
			delete(c.seen, name)
			continue
		}
		sum += m.threads
	}
	return sum
}
