//go:build !js

package cli

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/cluster"
)

// clusterFlags say where other machines are to be found.
type clusterFlags struct {
	url           string
	token         string
	ca, cert, key string
}

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

// link understands the flags.
func (f *clusterFlags) link(report func(string)) (cluster.Link, error) {
	l := cluster.Link{URL: f.url, Report: report}
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
	for _, flag := range [][2]string{{"token-file", f.token}, {"tls-ca", f.ca}, {"tls-cert", f.cert}, {"tls-key", f.key}} {
		if flag[1] != "" {
			return misuse("--%s applies only to --cluster", flag[0])
		}
	}
	return nil
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

// workerFlags are the flags of worker.
type workerFlags struct {
	cluster clusterFlags
	threads int
	idle    *time.Duration
}

func (f *workerFlags) define(cmd *cobra.Command) {
	f.cluster.define(cmd, "join the NATS server at `URL`, or one of several with commas between them")
	addFlags(cmd, "Work", func(s *pflag.FlagSet) {
		s.Var(&boundCount{&f.threads, 0, maxThreads}, "threads", "number of tasks at a time, 0 for as many as there are cores (default 0)")
		s.Var(boundTime(&f.idle), "idle", "end after TIME without a task, 0 for never (default 10m)")
	})
}

// link says where the work is.
func (f *workerFlags) link(report func(string)) (cluster.Link, error) {
	switch {
	case f.cluster.url == "":
		return cluster.Link{}, misuse("--cluster URL is missing: where the work is")
	case strings.HasPrefix(f.cluster.url, cluster.ListenPrefix):
		return cluster.Link{}, misuse("--cluster %s: a worker joins a server and does not start one", f.cluster.url)
	}
	return f.cluster.link(report)
}

// patience is how long a worker waits for tasks.
func (f *workerFlags) patience() time.Duration {
	if f.idle == nil {
		return 10 * time.Minute
	}
	return *f.idle
}
