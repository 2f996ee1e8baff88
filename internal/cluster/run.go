//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/task"
)

// A runID names what the servers keep of a run:
//
//	nervure-tasks-ID     tasks that nobody has done yet, a subject each
//	nervure-results-ID   results, a subject each
//	OBJ_nervure-ID       an object store: data of tasks, and messages that are too long
type runID string

const (
	tasksPrefix   = "nervure-tasks-"
	anyTask       = "nervure.task.>"
	consumerName  = "workers"
	begunSubject  = "nervure.begun"  // wakes workers up
	aliveSubject  = "nervure.alive." // and an identity: workers say that they are there
	runProperty   = "nervure-build"  // in the metadata of a stream of tasks
	arithProperty = "nervure-arithmetic"
)

func (r runID) tasks() string          { return tasksPrefix + string(r) }
func (r runID) results() string        { return "nervure-results-" + string(r) }
func (r runID) bucket() string         { return "nervure-" + string(r) }
func (r runID) objects() string        { return "OBJ_" + r.bucket() } // as the client calls the stream of a bucket
func (r runID) task(key string) string { return "nervure.task." + string(r) + "." + key }
func (r runID) result(k string) string { return "nervure.result." + string(r) + "." + k }
func (r runID) refusals() string       { return "nervure.refused." + string(r) }
func keyOf(subject string) string      { return subject[strings.LastIndexByte(subject, '.')+1:] }
func (r runID) allTasks() string       { return r.task("*") }
func (r runID) allResults() string     { return r.result("*") }

// taskKey names a task by its content, so that a result cannot be taken for that of
// another one.
func taskKey(t task.Task) string {
	return string(task.HashOf(checkpoint.Encode(func(c *checkpoint.Coder) { codeTask(c, &t) })))[:32]
}

// keptFor is how long servers keep what nobody comes back for.
const keptFor = 30 * 24 * time.Hour

// create makes the streams that are not there yet, the one that workers look for last.
func (r runID) create(ctx context.Context, c *conn, me identity, ackWait time.Duration, replicas int) error {
	for _, s := range []jetstream.StreamConfig{
		{
			// A task has one result: whatever comes later is refused. Direct reads may be
			// of a server that lags behind, here and below.
			Name: r.results(), Subjects: []string{r.allResults()}, MaxMsgsPerSubject: 1,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		},
		{
			Name: r.objects(), Subjects: []string{"$O." + r.bucket() + ".C.>", "$O." + r.bucket() + ".M.>"},
			Discard: jetstream.DiscardNew, AllowRollup: true,
		},
		{
			Name: r.tasks(), Subjects: []string{r.allTasks()}, Retention: jetstream.WorkQueuePolicy, MaxMsgsPerSubject: 1,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
			Metadata: map[string]string{runProperty: me.Build, arithProperty: me.Arithmetic},
		},
	} {
		s.Replicas, s.MaxAge = replicas, keptFor
		if err := c.retry(ctx, func(ctx context.Context) error {
			// What is asked for is waited for: else a stream may come after tidy has looked.
			ctx, cancel := c.call(context.WithoutCancel(ctx), callTimeout)
			defer cancel()
			_, err := c.js.CreateStream(ctx, s)
			if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // with fewer copies, for one
				return nil
			}
			return err
		}); err != nil {
			return fmt.Errorf("the servers cannot keep a run: %w", err)
		}
	}
	return c.retry(ctx, func(ctx context.Context) error {
		_, err := c.js.CreateOrUpdateConsumer(ctx, r.tasks(), jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1,
		})
		return err
	})
}

// remove deletes streams of a run. Those that are not there need not be.
func (r runID) remove(ctx context.Context, c *conn, streams ...string) error {
	var faults []error
	for _, name := range streams {
		err := c.retry(ctx, func(ctx context.Context) error { return c.js.DeleteStream(ctx, name) })
		if err != nil && !notFound(err) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// keys returns the keys of the messages that a stream has.
func (c *conn) keys(ctx context.Context, stream, subjects string) (keys map[string]bool, err error) {
	err = c.retry(ctx, func(ctx context.Context) error {
		s, err := c.js.Stream(ctx, stream)
		if err != nil {
			return err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(subjects))
		if err != nil {
			return err
		}
		keys = make(map[string]bool, len(info.State.Subjects))
		for subject := range info.State.Subjects {
			keys[keyOf(subject)] = true
		}
		return nil
	})
	return keys, err
}

// exists reports whether a stream is there, as far as is known.
func (c *conn) exists(ctx context.Context, stream string) bool {
	ctx, cancel := c.call(ctx, callTimeout)
	defer cancel()
	_, err := c.js.Stream(ctx, stream)
	return !notFound(err)
}
