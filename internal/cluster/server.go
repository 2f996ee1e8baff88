//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/nervure/nervure/internal/durable"
)

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
