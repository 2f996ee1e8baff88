//go:build !js

package cluster

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nervure/nervure/internal/task"
)

// A Link says how to reach the servers.
type Link struct {
	// URL is the address of a server, such as nats://127.0.0.1:4222, or of several ones of
	// a cluster, with commas between them. An [Open] that is given listen:ADDR starts a
	// server of its own, at ADDR of this machine: an address with a port, or a port alone.
	URL string

	// Token is the secret that all parties share. It may be empty on this machine alone.
	Token string

	// TLS has the certificates of those who issue a server's (RootCAs; those of the system
	// if there are none) or, to listen, the server's own (Certificates). It is required on
	// any other machine than this, unless URL begins with tls.
	TLS *tls.Config

	// Build tells programs apart, because only workers of the coordinator's build give the
	// same bytes. "" means what is known of this program, with its SHA-256.
	Build string

	// Report is told, in sentences, what people should know: a server that does not
	// answer, a worker that was refused. Calls do not overlap. Nil means nobody is told.
	Report func(string)
}

// Options are those of a coordinator.
type Options struct {
	Link

	// Dir keeps what the server of listen:ADDR stores, for a coordinator that is started
	// again. It is removed when all runs in it are complete. "" means nothing is kept.
	Dir string

	// Run names the work. A coordinator that is started again under the same name finds
	// the results that there are, even if it asks for a part of the tasks. "" names it by
	// its tasks.
	Run string

	// Keep leaves what tasks read with the servers until Close, for calls of Run that follow one another. It
	// needs a name of the work.
	Keep bool

	// AckWait is how long a worker may be silent before another one takes its task; it
	// speaks six times in that time. Zero means 30 s.
	AckWait time.Duration

	// Replicas is how many servers keep each message. Zero means three in a cluster, else
	// one.
	Replicas int
}

// WorkerOptions are those of a worker.
type WorkerOptions struct {
	Link
	Kinds   task.Kinds    // the work it can do
	Threads int           // tasks at a time; zero means 1
	Idle    time.Duration // end after so long without a task; zero means never
	Name    string        // in results; "" means host and process
}

// ListenPrefix is what a URL begins with if the server is to be started here.
const ListenPrefix = "listen:"

// DefaultPort is where servers listen if nothing is said.
const DefaultPort = "4222"

// listenAddress returns the address after listen:, which is on this machine alone unless
// it has another host.
func (l Link) listenAddress() (addr string, listen bool, err error) {
	addr, listen = strings.CutPrefix(l.URL, ListenPrefix)
	if !listen {
		return "", false, nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil && !strings.ContainsAny(addr, ":.") { // a port alone, or nothing
		host, port, err = "", addr, nil
	}
	if err != nil {
		return "", true, fmt.Errorf("%s: want listen:PORT or listen:ADDRESS:PORT", l.URL)
	}
	return net.JoinHostPort(cmp.Or(host, "127.0.0.1"), cmp.Or(port, DefaultPort)), true, nil
}

// An UnsafeError is an address that other machines can reach, without what is required
// for that.
type UnsafeError struct {
	Address string
	Token   bool // it is missing
	TLS     bool // it is missing
}

func (e *UnsafeError) Error() string {
	missing := "TLS is"
	switch {
	case e.Token && e.TLS:
		missing = "both are"
	case e.Token:
		missing = "the token is"
	}
	return fmt.Sprintf("%s is not on this machine alone, so a token and TLS are required: %s missing", e.Address, missing)
}

// Check says what is wrong with the address: it is none, or a [*UnsafeError].
func (l Link) Check() error {
	if addr, listen, err := l.listenAddress(); err != nil || listen {
		if err != nil {
			return err
		}
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return err
		}
		e := &UnsafeError{addr, l.Token == "", l.TLS == nil || len(l.TLS.Certificates) == 0 && l.TLS.GetCertificate == nil}
		if !loopback(host) && (e.Token || e.TLS) {
			return e
		}
		return nil
	}
	for server := range strings.SplitSeq(l.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(server))
		if err != nil || u.Host == "" {
			return fmt.Errorf("%q is not the address of a server: want one such as nats://127.0.0.1:%s", server, DefaultPort)
		}
		e := &UnsafeError{u.Host, l.Token == "" && u.User == nil, l.TLS == nil && u.Scheme != "tls" && u.Scheme != "wss"}
		if !loopback(u.Hostname()) && (e.Token || e.TLS) {
			return e
		}
	}
	return nil
}

// loopback reports whether a host is this machine, as seen by itself alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// shown is the URL without passwords.
func (l Link) shown() string {
	var list []string
	for server := range strings.SplitSeq(l.URL, ",") {
		if u, err := url.Parse(strings.TrimSpace(server)); err == nil {
			server = u.Redacted()
		}
		list = append(list, server)
	}
	return strings.Join(list, ",")
}

// workerName is the host and the process.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}
