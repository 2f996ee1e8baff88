//go:build !js

package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/linalg"
)

// A conn is a connection that mends itself.
type conn struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	report func(string)
	ended  context.Context // until the connection is closed, with the cause
	again  chan struct{}   // has an element after the connection was mended

	mu      sync.Mutex
	whole   context.Context // until the connection breaks
	breakUp context.CancelFunc
}

const (
	callTimeout    = 5 * time.Second // after it a call is repeated
	patience       = 5 * time.Second // of a coordinator, with servers that are not there
	tidyTimeout    = 10 * time.Second
	slowest        = 256 << 10 // bytes in a second, of a connection that is of use
	connectTimeout = 3 * time.Second
	firstPause     = 20 * time.Millisecond // between two tries of a call, doubled each time
	longestPause   = 2 * time.Second
)

// dial connects to the servers of a link. If there is none, it tries again for some
// time; zero means until ctx ends.
func dial(ctx context.Context, l Link, limit time.Duration, more ...nats.Option) (*conn, error) {
	ended, end := context.WithCancelCause(context.Background())
	c := &conn{report: serial(l.Report), ended: ended, again: make(chan struct{}, 1)}
	c.whole, c.breakUp = context.WithCancel(context.Background())
	options := append([]nats.Option{
		nats.Name("nervure"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.Timeout(connectTimeout),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			c.broken()
			if err != nil && !nc.IsClosed() {
				c.report(fmt.Sprintf("the connection to %s is lost (%s); trying again", l.shown(), err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			c.report("connected again")
			select {
			case c.again <- struct{}{}:
			default:
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			err := errors.New("the connection is closed")
			if last := nc.LastError(); last != nil {
				err = l.explain(last)
			}
			end(err)
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // else they are printed
	}, more...)
	if l.Token != "" {
		options = append(options, nats.Token(l.Token))
	}
	if l.TLS != nil {
		options = append(options, nats.Secure(l.TLS))
	}
	begun := time.Now()
	for told := false; ; told = true {
		nc, err := nats.Connect(l.URL, options...)
		if err == nil {
			c.nc = nc
			break
		}
		if hopeless(err) || limit > 0 && time.Since(begun) > limit {
			return nil, l.explain(err)
		}
		if !told {
			c.report(l.explain(err).Error() + "; trying again")
		}
		if !sleep(ctx, 500*time.Millisecond) {
			return nil, context.Cause(ctx)
		}
	}
	js, err := jetstream.New(c.nc, jetstream.WithDefaultTimeout(callTimeout), jetstream.WithPublishAsyncTimeout(callTimeout))
	if err != nil {
		c.nc.Close()
		return nil, err
	}
	c.js = js
	return c, nil
}

// hopeless says that another try to connect would fail in the same way.
func hopeless(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrSecureConnRequired) || errors.Is(err, nats.ErrSecureConnWanted) ||
		is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err) || is[x509.CertificateInvalidError](err) ||
		is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err)
}

// is reports whether an error is of a type, or wraps one that is.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// explain says what is wrong with a connection, in a sentence.
func (l Link) explain(err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization) && l.Token == "":
		return fmt.Errorf("%s wants a token", l.shown())
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("%s does not accept the token", l.shown())
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("%s wants TLS", l.shown())
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s does not offer TLS", l.shown())
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("no server answers at %s", l.shown())
	}
	return fmt.Errorf("%s: %s", l.shown(), strings.TrimPrefix(err.Error(), "nats: "))
}

// serial makes a function that may be nil one that can be called from anywhere.
func serial(report func(string)) func(string) {
	var mu sync.Mutex
	return func(sentence string) {
		if report != nil {
			mu.Lock()
			defer mu.Unlock()
			report(sentence)
		}
	}
}

// sleep waits, and reports whether ctx is still there.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// within returns a context that ends with ctx and with the connection.
func (c *conn) within(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	free := context.AfterFunc(c.ended, func() { stop(context.Cause(c.ended)) })
	return ctx, func(err error) {
		free()
		stop(err)
	}
}

// broken ends the calls that are under way: their answers are lost.
func (c *conn) broken() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.breakUp()
	c.whole, c.breakUp = context.WithCancel(context.Background())
}

// call returns a context for a call, which ends after some time or if the connection
// breaks.
func (c *conn) call(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, limit)
	free := context.AfterFunc(c.whole, cancel)
	return ctx, func() {
		free()
		cancel()
	}
}

// retry calls do until it succeeds or fails for good. A server that is away, or a
// cluster without a leader, is waited for.
func (c *conn) retry(ctx context.Context, do func(context.Context) error) error {
	return c.retryWithin(ctx, callTimeout, do)
}

// retryWithin is retry for calls that may take that long.
func (c *conn) retryWithin(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	told := false
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		call, cancel := c.call(ctx, limit)
		err := do(call)
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !passing(err):
			return err
		case pause == longestPause && !told:
			c.report(fmt.Sprintf("the servers do not do what they should (%s); trying again", err))
			told = true
		}
		if !sleep(ctx, pause) {
			return context.Cause(ctx)
		}
	}
}

// passing reports whether an error may be gone at the next try, if the caller's context has
// not ended.
func passing(err error) bool {
	if isTwice(err) {
		return false
	}
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code >= 500 && !tooFewServers(err)
	}
	for _, e := range []error{
		context.DeadlineExceeded, context.Canceled, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrConnectionReconnecting, nats.ErrDisconnected,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
		jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrAsyncPublishTimeout,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// tooFewServers says that there are fewer servers than copies asked for.
func tooFewServers(err error) bool {
	const noPeers, notClustered = 10005, 10074 // as the servers number their errors
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && (api.ErrorCode == noPeers || api.ErrorCode == notClustered)
}

// isTwice says that a stream has a message of that subject already.
func isTwice(err error) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && strings.Contains(api.Description, "maximum messages per subject exceeded")
}

func notFound(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) ||
		errors.Is(err, jetstream.ErrBucketNotFound)
}

// An identity is what the bytes of a result depend on besides its task.
type identity struct {
	Build      string `json:"build"`
	Arithmetic string `json:"arithmetic"`
}

// thisProgram is read once: it is hashed.
var thisProgram = sync.OnceValue(func() string { return build.This().String() })

func (l Link) identity() identity {
	if l.Build != "" {
		return identity{l.Build, linalg.Arithmetic()}
	}
	return identity{thisProgram(), linalg.Arithmetic()}
}

// key is short, and fit for subjects.
func (i identity) key() string { return digest(i)[:16] }

// difference says how a worker differs from a run, or nothing.
func (i identity) difference(run identity) string {
	switch {
	case i.Build != run.Build:
		return fmt.Sprintf(
			"the worker is build %s, the run is of build %s: use the same program on all machines",
			cmp.Or(i.Build, "unknown"),
			cmp.Or(run.Build, "unknown"),
		)
	case i.Arithmetic != run.Arithmetic:
		return fmt.Sprintf(
			"the worker's processor has %s arithmetic, the run is of %s arithmetic, which rounds differently: use processors of one kind",
			i.Arithmetic,
			run.Arithmetic,
		)
	}
	return ""
}

// A RefusedError says why a worker may not take part.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return "refused: " + e.Why }

// digest names a value by its content.
func digest(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of our own types, all of which can be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
