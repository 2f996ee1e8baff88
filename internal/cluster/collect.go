//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/task"
)

// A reader knows how far the results were read. The zero value begins at the first one.
type reader struct {
	next   uint64          // sequence of the next one
	passed map[string]bool // keys of those before it, also of tasks that nobody asked for
	made   time.Time       // of the stream: another one of the same name starts over
}

// collect reads results until all are there. Whatever goes wrong, it begins again where it
// was.
func (j *job) collect(ctx context.Context) error {
	at := &j.at
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		before := at.next
		err := j.read(ctx, at)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if notFound(err) {
			select {
			case j.look <- struct{}{}:
			default:
			}
		}
		if at.next != before {
			pause = firstPause
		}
		if !sleep(ctx, pause) {
			return context.Cause(ctx)
		}
	}
}

// errGap says that a message was lost on its way.
var errGap = errors.New("a message is missing")

// read reads results from where the reader stands until something is wrong.
func (j *job) read(ctx context.Context, at *reader) error {
	call, cancel := j.conn.call(ctx, callTimeout)
	defer cancel()
	stream, err := j.conn.js.Stream(call, j.id.results())
	if err != nil {
		return err
	}
	if made := stream.CachedInfo().Created; !made.Equal(at.made) {
		*at = reader{next: 1, passed: map[string]bool{}, made: made}
	}
	consumer, err := stream.CreateConsumer(call, jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: at.next,
		MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return err
	}
	defer func() { _ = j.forget(ctx, consumer) }()
	for expected := uint64(1); ; {
		n, err := j.readSome(ctx, consumer, expected, at)
		if err != nil {
			return err
		}
		if expected += n; n > 0 {
			continue
		}
		// The last message may have been lost, and there is none after it to show the gap.
		if about, err := j.infoOf(ctx, consumer); err != nil {
			return err
		} else if about.Delivered.Consumer != expected-1 {
			return errGap
		}
	}
}

// readSome reads the messages of some seconds, and says how many they were.
func (j *job) readSome(ctx context.Context, consumer jetstream.Consumer, expected uint64, at *reader) (n uint64, err error) {
	some, cancel := j.conn.call(ctx, longestPause)
	defer cancel()
	batch, err := consumer.Fetch(together, jetstream.FetchContext(some))
	if err != nil {
		return 0, err
	}
	for m := range batch.Messages() {
		about, err := m.Metadata()
		if err != nil {
			return n, err
		}
		if about.Sequence.Consumer != expected+n {
			return n, errGap
		}
		if err := j.admit(ctx, m); err != nil {
			return n, err
		}
		n++
		at.next = about.Sequence.Stream + 1
		at.passed[keyOf(m.Subject())] = true
	}
	return n, batch.Error()
}

func (j *job) infoOf(ctx context.Context, c jetstream.Consumer) (*jetstream.ConsumerInfo, error) {
	ctx, cancel := j.conn.call(ctx, callTimeout)
	defer cancel()
	return c.Info(ctx)
}

// forget deletes a consumer, which would vanish by itself a minute later.
func (j *job) forget(ctx context.Context, c jetstream.Consumer) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return j.conn.js.DeleteConsumer(ctx, j.id.results(), c.CachedInfo().Name)
}

// admit hands on the result of a message, the first one of its task.
func (j *job) admit(ctx context.Context, m jetstream.Msg) error {
	t, ok := j.waiting(keyOf(m.Subject()))
	if !ok {
		return nil
	}
	var r task.Result
	if err := j.conn.unpack(ctx, j.id, m.Data(), func(c *checkpoint.Coder) { codeResult(c, &r) }); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if passing(err) {
			return err
		}
		r = task.Result{Lost: true, Fault: fmt.Sprintf("its result cannot be read: %s", err)}
	}
	if !j.take(keyOf(m.Subject())) {
		return nil
	}
	r.ID = t.ID
	return j.tell(ctx, r)
}
