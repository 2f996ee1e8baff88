//go:build !js

package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/cluster"
	"github.com/nervure/nervure/internal/task"
)

// clusterFlags say where other machines are to be found.
type clusterFlags struct {
	url           string
	token         string
	ca, cert, key string
}

// queueDir is where a server of our own keeps tasks and results, in the directory of a
// command. It is removed when all is done.
const queueDir = "queue"

func (f *clusterFlags) define(cmd *cobra.Command, meaning string) {
	addFlags(cmd, "Cluster", func(s *pflag.FlagSet) {
		s.StringVar(&f.url, "cluster", "", meaning)
		s.StringVar(&f.token, "token-file", "", "the secret that all machines share is in `FILE`")
		s.StringVar(&f.ca, "tls-ca", "", "trust servers whose certificates are signed by those in `FILE`")
		s.StringVar(&f.cert, "tls-cert", "", "show the certificate in `FILE`; to listen on other addresses than 127.0.0.1")
		s.StringVar(&f.key, "tls-key", "", "the key of the certificate is in `FILE`")
	})
}

// defineCoordinator defines the flags of a command that has much to do.
func (f *clusterFlags) defineCoordinator(cmd *cobra.Command) {
	f.define(cmd, "leave the work to nervure worker on other machines: `URL` of a NATS server, or listen:ADDR to start one")
}

// names of the flags.
var clusterFlagNames = []string{"cluster", "token-file", "tls-ca", "tls-cert", "tls-key"}

// link understands the flags.
func (f *clusterFlags) link(c console) (cluster.Link, error) {
	l := cluster.Link{URL: f.url, Report: func(s string) { fmt.Fprintln(c.err, s) }}
	if f.token != "" {
		text, err := os.ReadFile(f.token)
		if err != nil {
			return l, &input.Error{File: f.token, Msg: reason(err)}
		}
		if l.Token = strings.TrimSpace(string(text)); l.Token == "" {
			return l, &input.Error{File: f.token, Msg: "the file has no token"}
		}
	}
	var err error
	if l.TLS, err = f.tls(); err != nil {
		return l, err
	}
	err = l.Check()
	if unsafe, ok := errors.AsType[*cluster.UnsafeError](err); ok {
		return l, misuse("--cluster: %s is not on this machine alone, so a token (--token-file) and TLS (--tls-cert and --tls-key to listen, --tls-ca to join) are required", unsafe.Address)
	}
	if err != nil {
		return l, misuse("--cluster: %s", err)
	}
	return l, nil
}

// tls reads the certificates, if there are any.
func (f *clusterFlags) tls() (*tls.Config, error) {
	if (f.cert == "") != (f.key == "") {
		return nil, misuse("--tls-cert and --tls-key go together")
	}
	if f.ca == "" && f.cert == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.ca != "" {
		text, err := os.ReadFile(f.ca)
		if err != nil {
			return nil, &input.Error{File: f.ca, Msg: reason(err)}
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, &input.Error{File: f.ca, Msg: "there is no certificate in PEM in the file"}
		}
	}
	if f.cert != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, &input.Error{File: f.cert, Msg: "it is not a certificate that goes with " + f.key + ": " + reason(err)}
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// asked reports whether other machines are to help.
func (f *clusterFlags) asked() bool { return f.url != "" }

// check refuses flags that do nothing without --cluster.
func (f *clusterFlags) check() error {
	if f.url != "" {
		return nil
	}
	for k, value := range []string{f.token, f.ca, f.cert, f.key} {
		if value != "" {
			return misuse("--%s applies only to --cluster", clusterFlagNames[k+1])
		}
	}
	return nil
}

// runner returns who does the tasks of a command that writes to dir, "" if it writes to
// none, and how to take leave of it. Nil is this process.
func (f *clusterFlags) runner(ctx context.Context, c console, dir string) (task.Runner, func(), error) {
	if err := f.check(); err != nil || f.url == "" {
		return nil, func() {}, err
	}
	link, err := f.link(c)
	if err != nil {
		return nil, nil, err
	}
	host, _ := os.Hostname() // "" names the run as well
	o := cluster.Options{Link: link}
	if dir != "" {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, nil, err
		}
		o.Dir, o.Run = filepath.Join(whole, queueDir), host+":"+whole
	}
	r, err := cluster.Open(ctx, o)
	if err != nil {
		return nil, nil, fmt.Errorf("--cluster: %w", err)
	}
	if strings.HasPrefix(f.url, cluster.ListenPrefix) {
		fmt.Fprintf(c.err, "workers join with: nervure worker --cluster %s%s\n", reachable(r.URL(), host), f.joining())
	}
	return r, r.Close, nil
}

// reachable puts the name of this machine in the place of an address that stands for
// all it has.
func reachable(address, host string) string {
	u, err := url.Parse(address)
	if err != nil || host == "" {
		return address
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		u.Host = net.JoinHostPort(host, u.Port())
	}
	return u.String()
}

// joining are the flags that workers need besides the address.
func (f *clusterFlags) joining() string {
	words := ""
	if f.token != "" {
		words += " --token-file FILE"
	}
	if f.cert != "" {
		words += " --tls-ca FILE"
	}
	return words
}
