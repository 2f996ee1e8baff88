//go:build !js

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/task"
)

// longest is how long a message may be; longer ones go through the object store. Servers
// take 1 MB unless told otherwise.
const longest = 256 << 10

// A wire is a task or a result on its way.
type wire struct {
	Body json.RawMessage `json:"body,omitempty"`
	At   task.Hash       `json:"at,omitempty"` // of the body, in the object store, if it is long
}

// put stores data under a name, unless they are there.
func (c *conn) put(ctx context.Context, r runID, name task.Hash, data func() ([]byte, error)) error {
	var store jetstream.ObjectStore
	err := c.retry(ctx, func(ctx context.Context) (err error) {
		if store, err = c.js.ObjectStore(ctx, r.bucket()); err == nil {
			_, err = store.GetInfo(ctx, string(name))
		}
		return err
	})
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	bytes, err := data()
	if err != nil {
		return &sourceError{err}
	}
	return c.retryWithin(ctx, transferTime(uint64(len(bytes))), func(ctx context.Context) error {
		_, err := store.PutBytes(ctx, string(name), bytes)
		return err
	})
}

// transferTime is how long data may be on their way.
func transferTime(size uint64) time.Duration {
	return callTimeout + time.Duration(float64(size)/slowest*float64(time.Second))
}

// A sourceError is data that the caller could not give.
type sourceError struct{ error }

// get returns stored data, if they are what their name says.
func (c *conn) get(ctx context.Context, r runID, name task.Hash) ([]byte, error) {
	for tries := 0; ; tries++ {
		data, err := c.getOnce(ctx, r, name)
		switch {
		case err == nil && task.HashOf(data) != name:
			return nil, fmt.Errorf("%s is something else", name)
		case err == nil:
			return data, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case tries == 5 || notFound(err):
			return nil, fmt.Errorf("%s is not to be had: %w", name, err)
		case !sleep(ctx, firstPause<<tries):
			return nil, context.Cause(ctx)
		}
	}
}

func (c *conn) getOnce(ctx context.Context, r runID, name task.Hash) ([]byte, error) {
	call, cancel := c.call(ctx, callTimeout)
	defer cancel()
	store, err := c.js.ObjectStore(call, r.bucket())
	if err != nil {
		return nil, err
	}
	info, err := store.GetInfo(call, string(name))
	if err != nil {
		return nil, err
	}
	long, cancel := c.call(ctx, transferTime(info.Size))
	defer cancel()
	return store.GetBytes(long, string(name))
}

// pack makes a message of a task or a result.
func (c *conn) pack(ctx context.Context, r runID, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	w := wire{Body: body}
	if len(body) > longest {
		w = wire{At: task.HashOf(body)}
		if err := c.put(ctx, r, w.At, func() ([]byte, error) { return body, nil }); err != nil {
			return nil, err
		}
	}
	return json.Marshal(w)
}

// unpack reads a message.
func (c *conn) unpack(ctx context.Context, r runID, message []byte, v any) error {
	var w wire
	if err := json.Unmarshal(message, &w); err != nil {
		return err
	}
	if w.At != "" {
		body, err := c.get(ctx, r, w.At)
		if err != nil {
			return err
		}
		w.Body = body
	}
	return json.Unmarshal(w.Body, v)
}

// An embedded server lives in the coordinator's process.
type embedded struct {
	*server.Server
	dir  string // for what it stores
	addr string
	own  bool // the directory is a temporary one

	release func() // the directory, of which the server takes no care
}

// kept is how the directories of servers are called that have none of their own.
var kept = durable.Temporaries{Prefix: "nervure-cluster-"}

// startServer starts a server at an address, with what it stored in dir before.
func startServer(ctx context.Context, addr string, o Options) (*embedded, error) {
	// The server does not say why it cannot listen, so this is tried first.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, errors.Unwrap(err))
	}
	addr = listener.Addr().String() // with the port, if it was 0
	if err := listener.Close(); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	e := &embedded{addr: addr, dir: o.Dir, own: o.Dir == ""}
	if e.own {
		e.dir, e.release, err = kept.Mkdir(os.TempDir())
	} else {
		e.release, err = durable.Claim(e.dir)
	}
	if err != nil {
		return nil, err
	}
	e.Server, err = server.NewServer(&server.Options{
		ServerName: "nervure", Host: host, Port: number,
		JetStream: true, StoreDir: e.dir, Authorization: o.Token, TLSConfig: o.TLS, TLSTimeout: connectTimeout.Seconds(),
		NoLog: true, NoSigs: true, DisableJetStreamBanner: true,
	})
	if err != nil {
		e.release()
		e.remove()
		return nil, err
	}
	e.Start()
	if !e.ReadyForConnections(30 * time.Second) {
		e.stop()
		return nil, fmt.Errorf("the server at %s does not start, with what it keeps in %s", addr, e.dir)
	}
	return e, nil
}

// stop ends the server and removes what nobody will ask for.
func (e *embedded) stop() {
	about, err := e.Jsz(nil)
	empty := err == nil && about.Streams == 0
	e.Shutdown()
	e.WaitForShutdown()
	if empty && !e.own {
		_ = os.RemoveAll(filepath.Join(e.dir, server.JetStreamStoreDir)) // it does no harm
		_ = os.Remove(e.dir)                                             // if there is nothing else in it
	}
	e.remove()
	e.release()
}

func (e *embedded) remove() {
	if e.own {
		_ = os.RemoveAll(e.dir) // what is left is in a temporary directory
	}
}
