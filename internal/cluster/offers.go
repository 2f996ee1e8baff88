//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/task"
)

// An offer is a run that has tasks for this worker.
type offer struct {
	runID
	consumer jetstream.Consumer
	beat     time.Duration // between two signs of life of a task
}

const (
	wait      = time.Second            // for a task of the only run
	lookWait  = 2 * time.Second        // between two looks for runs, if nothing wakes the worker up
	roundWait = 100 * time.Millisecond // between two rounds through several runs
)

// take takes tasks and does them, one after the other, until ctx ends. A run is stayed
// with while it is the only one; several take turns.
func (w *worker) take(ctx context.Context) error {
	for ctx.Err() == nil {
		offers, err := w.offers(ctx)
		if err != nil {
			return err
		}
		if len(offers) == 0 {
			w.pause(ctx, lookWait)
			continue
		}
		for begun := time.Now(); ctx.Err() == nil && time.Since(begun) < lookWait; {
			took, err := w.round(ctx, offers)
			if err != nil {
				break // who offers what is looked at again
			}
			if took {
				begun = time.Now() // a full queue is worth another look at others only now and then
				if len(offers) > 1 {
					break
				}
			} else if len(offers) > 1 {
				w.pause(ctx, roundWait)
			}
		}
	}
	return nil
}

// round does a task of each run that has one.
func (w *worker) round(ctx context.Context, offers []offer) (took bool, err error) {
	for _, o := range offers {
		var batch jetstream.MessageBatch
		if len(offers) == 1 {
			batch, err = o.consumer.Fetch(1, jetstream.FetchMaxWait(wait))
		} else {
			batch, err = o.consumer.FetchNoWait(1)
		}
		if err != nil {
			w.pause(ctx, roundWait)
			return took, err
		}
		for m := range batch.Messages() {
			took = true
			w.do(ctx, o, m)
		}
		if err := batch.Error(); err != nil {
			w.pause(ctx, roundWait)
			return took, err
		}
	}
	return took, nil
}

// offers lists the runs of this build and arithmetic. If there are others alone, and
// there never was one of ours, they hear why it is refused, and so does the caller.
func (w *worker) offers(ctx context.Context) ([]offer, error) {
	var list []offer
	var others []runID
	why := ""
	ask, cancel := w.conn.call(ctx, callTimeout)
	defer cancel()
	streams := w.conn.js.ListStreams(ask, jetstream.WithStreamListSubject(anyTask))
	for s := range streams.Info() {
		id, ok := strings.CutPrefix(s.Config.Name, tasksPrefix)
		if !ok {
			continue
		}
		r := runID(id)
		if d := w.me.difference(identity{s.Config.Metadata[runProperty], s.Config.Metadata[arithProperty]}); d != "" {
			others, why = append(others, r), d
			continue
		}
		consumer, err := w.conn.js.Consumer(ask, r.tasks(), consumerName)
		if err != nil {
			continue // it is being made, or goes away
		}
		w.worked.Store(true)
		list = append(list, offer{r, consumer, consumer.CachedInfo().Config.AckWait / 6})
	}
	if streams.Err() != nil || len(list) > 0 || len(others) == 0 || w.worked.Load() {
		return list, nil // what the servers did not say now, they will say later
	}
	refused := &RefusedError{why}
	for _, r := range others {
		_ = w.conn.nc.Publish(r.refusals(), []byte("worker "+w.name+" was "+refused.Error()))
	}
	_ = w.conn.nc.FlushTimeout(time.Second) // the worker itself knows, at least
	return nil, refused
}

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
	var heart guard.Group
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
	if err := w.conn.unpack(ctx, o.runID, m.Data(), func(c *checkpoint.Coder) { codeTask(c, &t) }); err != nil {
		return nil, err
	}
	if about.NumDelivered > deliveries {
		return &task.Result{
			ID:    t.ID,
			By:    w.name,
			Lost:  true,
			Fault: fmt.Sprintf("given up: %d workers took it, and none of them finished it", deliveries),
		}, nil
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
	body, err := w.conn.pack(ctx, o.runID, func(c *checkpoint.Coder) { codeResult(c, r) })
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
