//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/task"
)

// deliveries is how many workers may try a task before it is given up.
const deliveries = 5

// do does the task of a message.
func (w *worker) do(ctx context.Context, o offer, m jetstream.Msg) {
	w.busy.Add(1)
	defer func() {
		w.rested(time.Now())
		w.busy.Add(-1)
	}()
	ctx, stop := context.WithCancel(ctx)
	var heart sync.WaitGroup
	defer heart.Wait()
	defer stop()
	heart.Go(func() { w.beat(ctx, o, m, stop) })
	result, err := w.result(ctx, o, m)
	if err == nil && ctx.Err() == nil { // else it may have been cut short
		err = w.publish(ctx, o, keyOf(m.Subject()), result)
	}
	switch {
	case ctx.Err() != nil:
		_ = m.Nak() // so that another worker need not wait for this one's silence
	case err != nil:
		_ = m.NakWithDelay(o.beat) // the servers may need some time
	default:
		_ = m.Ack() // if it is lost, the next worker finds the result
	}
}

// beat says again and again that a task is being done, and stops it if nobody waits for it
// any more.
func (w *worker) beat(ctx context.Context, o offer, m jetstream.Msg, stop func()) {
	for sleep(ctx, o.beat) {
		_ = m.InProgress() // the next one will be heard
		if !w.conn.exists(ctx, o.tasks()) {
			stop()
		}
	}
}

// result returns the outcome of the task of a message. An error is about the servers.
func (w *worker) result(ctx context.Context, o offer, m jetstream.Msg) (*task.Result, error) {
	about, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	if about.NumDelivered > 1 {
		done, err := w.isDone(ctx, o, keyOf(m.Subject()))
		if done || err != nil {
			return nil, err
		}
	}
	var t task.Task
	if err := w.conn.unpack(ctx, o.runID, m.Data(), &t); err != nil {
		return nil, err
	}
	if about.NumDelivered > deliveries {
		return &task.Result{ID: t.ID, By: w.name, Lost: true, Fault: fmt.Sprintf("given up: %d workers took it, and none of them finished it", deliveries)}, nil
	}
	data := map[task.Hash][]byte{}
	for _, hash := range t.Data {
		if data[hash], err = w.cache.get(hash, func() ([]byte, error) { return w.conn.get(ctx, o.runID, hash) }); err != nil {
			return nil, err
		}
	}
	r := w.options.Kinds.Do(ctx, t, func(h task.Hash) ([]byte, error) { return data[h], nil })
	r.By = w.name
	return &r, nil
}

// isDone reports whether a task has its result: whoever did it died before saying so.
func (w *worker) isDone(ctx context.Context, o offer, key string) (done bool, err error) {
	err = w.conn.retry(ctx, func(ctx context.Context) error {
		s, err := w.conn.js.Stream(ctx, o.results())
		if err == nil {
			_, err = s.GetLastMsgForSubject(ctx, o.result(key))
		}
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		done = err == nil
		return err
	})
	return done, err
}

// publish waits until the servers have a result, or refuse it because there is one. Nil is
// no result.
func (w *worker) publish(ctx context.Context, o offer, key string, r *task.Result) error {
	if r == nil {
		return nil
	}
	body, err := w.conn.pack(ctx, o.runID, r)
	if err != nil {
		return err
	}
	m := nats.NewMsg(o.result(key))
	m.Data = body
	m.Header.Set(nats.MsgIdHdr, key)
	err = w.conn.retry(ctx, func(call context.Context) error {
		_, err := w.conn.js.PublishMsg(call, m)
		if errors.Is(err, jetstream.ErrNoStreamResponse) && !w.conn.exists(ctx, o.results()) {
			return jetstream.ErrStreamNotFound
		}
		return err
	})
	if isTwice(err) {
		return nil
	}
	return err
}
