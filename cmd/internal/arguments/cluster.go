//go:build !js

package arguments

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

// Cluster say where other machines are to be found.
type Cluster struct {
	url           string
	token         string
	ca, cert, key string
}

func (f *Cluster) define(cmd *cobra.Command, meaning string) {
	addFlags(cmd, "Cluster", func(s *pflag.FlagSet) {
		s.StringVar(&f.url, "cluster", "", meaning)
		s.StringVar(&f.token, "token-file", "", "read the secret shared by all machines from `FILE`")
		s.StringVar(&f.ca, "tls-ca", "", "trust servers whose certificates are signed by a certificate in `FILE`")
		s.StringVar(&f.cert, "tls-cert", "", "present the certificate in `FILE`; required to listen on addresses other than 127.0.0.1")
		s.StringVar(&f.key, "tls-key", "", "read the key of the certificate from `FILE`")
	})
}

// defineCoordinator defines the flags of a command that has much to do.
func (f *Cluster) defineCoordinator(cmd *cobra.Command) {
	f.define(cmd, "distribute the work to nervure worker on other machines: `URL` of a NATS server, or listen:ADDR to start one")
}

// Link understands the flags.
func (f *Cluster) Link(report func(string)) (cluster.Link, error) {
	l := cluster.Link{URL: f.url, Report: report}
	if f.token != "" {
		text, err := os.ReadFile(f.token)
		if err != nil {
			return l, &input.Error{File: f.token, Msg: Reason(err)}
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
		return l, Misuse("--cluster: %s is not on this machine alone, so a token (--token-file) and TLS (--tls-cert and --tls-key to listen, --tls-ca to join) are required", unsafe.Address)
	}
	if err != nil {
		return l, Misuse("--cluster: %s", err)
	}
	return l, nil
}

// tls reads the certificates, if there are any.
func (f *Cluster) tls() (*tls.Config, error) {
	if (f.cert == "") != (f.key == "") {
		return nil, Misuse("--tls-cert and --tls-key go together")
	}
	if f.ca == "" && f.cert == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.ca != "" {
		text, err := os.ReadFile(f.ca)
		if err != nil {
			return nil, &input.Error{File: f.ca, Msg: Reason(err)}
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, &input.Error{File: f.ca, Msg: "there is no certificate in PEM in the file"}
		}
	}
	if f.cert != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, &input.Error{File: f.cert, Msg: "it is not a certificate that goes with " + f.key + ": " + Reason(err)}
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// Asked reports whether other machines are to help.
func (f *Cluster) Asked() bool { return f.url != "" }

// Check refuses flags that do nothing without --cluster.
func (f *Cluster) Check() error {
	if f.url != "" {
		return nil
	}
	for _, flag := range [][2]string{{"token-file", f.token}, {"tls-ca", f.ca}, {"tls-cert", f.cert}, {"tls-key", f.key}} {
		if flag[1] != "" {
			return Misuse("--%s applies only to --cluster", flag[0])
		}
	}
	return nil
}

// Joining are the flags that workers need besides the address.
func (f *Cluster) Joining() string {
	words := ""
	if f.token != "" {
		words += " --token-file FILE"
	}
	if f.cert != "" {
		words += " --tls-ca FILE"
	}
	return words
}

// Worker are the flags of worker.
type Worker struct {
	cluster Cluster
	Threads int
	Quiet   bool
	idle    *time.Duration
}

// Define adds the flags to a command.
func (f *Worker) Define(cmd *cobra.Command) {
	f.cluster.define(cmd, "join the NATS server at `URL`, or one of several, separated by commas")
	addFlags(cmd, "Work", func(s *pflag.FlagSet) {
		s.Var(&boundCount{&f.Threads, 0, maxThreads}, "threads", "number of tasks at a time, 0 for as many as there are cores (default 0)")
		s.Var(boundTime(&f.idle), "idle", "end after TIME without a task, 0 for never (default 10m)")
		s.BoolVar(&f.Quiet, "quiet", false, "print only errors and, at the end, how many tasks were done")
	})
}

// Link says where the work is.
func (f *Worker) Link(report func(string)) (cluster.Link, error) {
	switch {
	case f.cluster.url == "":
		return cluster.Link{}, Misuse("--cluster URL is missing: where the work is")
	case strings.HasPrefix(f.cluster.url, cluster.ListenPrefix):
		return cluster.Link{}, Misuse("--cluster %s: a worker joins a server and does not start one", f.cluster.url)
	}
	return f.cluster.Link(report)
}

// Patience is how long a worker waits for tasks.
func (f *Worker) Patience() time.Duration {
	if f.idle == nil {
		return 10 * time.Minute
	}
	return *f.idle
}
