//go:build !js

package cluster

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/task"
)

// longest is how long a message may be; longer ones go through the object store. Servers
// take 1 MB unless told otherwise.
const longest = 256 << 10

// A wire is a task or a result on its way.
type wire struct {
	body []byte
	at   task.Hash // of the body, in the object store, if it is long
}

func (w *wire) code(c *checkpoint.Coder) {
	c.Bytes(&w.body)
	checkpoint.Text(c, &w.at)
}

// codeTask and codeResult write or read a task and a result.
func codeTask(c *checkpoint.Coder, t *task.Task) {
	c.String(&t.ID)
	c.String(&t.Kind)
	c.Bytes(&t.Args)
	checkpoint.Slice(c, &t.Data, checkpoint.Text[task.Hash])
}

func codeResult(c *checkpoint.Coder, r *task.Result) {
	c.String(&r.ID)
	c.Bytes(&r.Value)
	c.String(&r.Fault)
	c.String(&r.By)
	c.Bool(&r.Lost)
	checkpoint.Pointer(c, &r.Broken)
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
	content, err := data()
	if err != nil {
		return &sourceError{err}
	}
	return c.retryWithin(ctx, transferTime(uint64(len(content))), func(ctx context.Context) error {
		_, err := store.PutBytes(ctx, string(name), content)
		return err
	})
}

// transferTime is how long data may be on their way.
func transferTime(size uint64) time.Duration {
	return callTimeout + time.Duration(float64(size)/slowest*float64(time.Second))
}

// A sourceError is data that the caller could not give.
type sourceError struct{ error }

// errOther says that data are not those of their name.
var errOther = errors.New("something else")

// get returns stored data, if they are what their name says.
func (c *conn) get(ctx context.Context, r runID, name task.Hash) ([]byte, error) {
	for tries := 0; ; tries++ {
		data, err := c.getOnce(ctx, r, name)
		switch {
		case errors.Is(err, errOther):
			return nil, fmt.Errorf("%s is %w", name, err)
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

// getOnce reads stored data. Their bytes are held against the digest that is stored with them while they are read.
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
	object, err := store.Get(long, string(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = object.Close() }()
	if info, err = object.Info(); err != nil {
		return nil, err
	}
	if digest, err := jetstream.DecodeObjectDigest(info.Digest); err != nil || task.Hash(hex.EncodeToString(digest)) != name {
		return nil, errOther
	}
	data := bytes.NewBuffer(make([]byte, 0, info.Size+bytes.MinRead))
	if _, err := data.ReadFrom(object); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}

// pack makes a message of what code writes, a task or a result.
func (c *conn) pack(ctx context.Context, r runID, code func(*checkpoint.Coder)) ([]byte, error) {
	w := wire{body: checkpoint.Encode(code)}
	if len(w.body) > longest {
		body := w.body
		w = wire{at: task.HashOf(body)}
		if err := c.put(ctx, r, w.at, func() ([]byte, error) { return body, nil }); err != nil {
			return nil, err
		}
	}
	return checkpoint.Encode(w.code), nil
}

// unpack has code read a message.
func (c *conn) unpack(ctx context.Context, r runID, message []byte, code func(*checkpoint.Coder)) error {
	var w wire
	if err := checkpoint.Decode(message, w.code); err != nil {
		return err
	}
	if w.at != "" {
		var err error
		if w.body, err = c.get(ctx, r, w.at); err != nil {
			return err
		}
	}
	return checkpoint.Decode(w.body, code)
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
