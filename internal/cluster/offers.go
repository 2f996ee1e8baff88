//go:build !js

package cluster

import (
	"context"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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
