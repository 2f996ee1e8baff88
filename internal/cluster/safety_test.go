//go:build !js

package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/task"
)

// certificate makes one for this machine, signed by itself, and the pool that trusts it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestOtherMachinesTakeATokenAndTLS(t *testing.T) {
	t.Parallel()
	cert, _ := certificate(t)
	own := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	token, both := &UnsafeError{Token: true}, &UnsafeError{Token: true, TLS: true}
	for _, c := range []struct {
		link Link
		want *UnsafeError // nil: it is safe
	}{
		{Link{URL: "listen:"}, nil},
		{Link{URL: "listen:[::1]:4222"}, nil},
		{Link{URL: "listen:0.0.0.0:4222"}, both},
		{Link{URL: "listen:example.org:4222", Token: "s", TLS: &tls.Config{MinVersion: tls.VersionTLS12}}, &UnsafeError{TLS: true}},
		{Link{URL: "listen:0.0.0.0:4222", TLS: own}, token},
		{Link{URL: "listen:0.0.0.0:4222", Token: "s", TLS: own}, nil},
		{Link{URL: "nats://localhost:4222,nats://[::1]:4223"}, nil},
		{Link{URL: "nats://127.0.0.1:4222,nats://example.org:4222"}, both},
		{Link{URL: "tls://example.org:4222"}, token},
		{Link{URL: "tls://ann:secret@example.org:4222"}, nil},
		{Link{URL: "tls://example.org:4222", Token: "s"}, nil},
	} {
		err := c.link.Check()
		if got, ok := errors.AsType[*UnsafeError](err); ok != (c.want != nil) || !ok && err != nil || ok && (got.Token != c.want.Token || got.TLS != c.want.TLS) {
			t.Errorf("%s: got %v, want %+v", c.link.URL, err, c.want)
		}
	}
	for _, none := range []string{"", "example.org", "listen:10.0.0.1"} {
		if (Link{URL: none}).Check() == nil {
			t.Errorf("%q is taken for an address", none)
		}
	}
	if err := Work(t.Context(), WorkerOptions{Link: Link{URL: "listen:4222"}}); err == nil {
		t.Errorf("a worker that listens: %v", err)
	}
	if got := (Link{URL: "nats://ann:secret@example.org:4222"}).shown(); strings.Contains(got, "secret") {
		t.Errorf("the password is shown: %s", got)
	}
}

func TestTokenAndTLS(t *testing.T) {
	t.Parallel()
	cert, pool := certificate(t)
	r := open(t, Options{Link: Link{Token: "secret", TLS: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}}})
	trusting := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	if !strings.HasPrefix(r.URL(), "tls://127.0.0.1:") {
		t.Error(r.URL())
	}
	plain := strings.Replace(r.URL(), "tls:", "nats:", 1)
	for _, c := range []struct {
		link Link
		want string
	}{
		{Link{URL: r.URL(), TLS: trusting}, " wants a token"},
		{Link{URL: r.URL(), TLS: trusting, Token: "wrong"}, " does not accept the token"},
		{Link{URL: r.URL(), Token: "secret"}, ": tls error: tls: failed to verify certificate: x509: certificate signed by unknown authority"},
	} {
		if err := Work(t.Context(), WorkerOptions{Link: c.link}); err == nil || err.Error() != c.link.URL+c.want {
			t.Errorf("got %v, want %s", err, c.link.URL+c.want)
		}
	}
	bare := open(t, Options{})
	if err := Work(t.Context(), WorkerOptions{Link: Link{URL: bare.URL(), TLS: trusting}}); err == nil || err.Error() != bare.URL()+" does not offer TLS" {
		t.Errorf("TLS with a server that has none: %v", err)
	}
	hire(t, WorkerOptions{Link: Link{URL: plain, TLS: trusting, Token: "secret"}})
	gather(t, r, []task.Task{{ID: "a", Kind: "join"}}, nil)
}

func TestAPortThatIsTaken(t *testing.T) {
	t.Parallel()
	first := open(t, Options{})
	addr := strings.TrimPrefix(first.URL(), "nats://")
	if _, err := Open(t.Context(), Options{Link: Link{URL: "listen:" + addr}}); err == nil || !strings.HasPrefix(err.Error(), "cannot listen on "+addr+": ") {
		t.Errorf("got %v", err)
	}
	if _, err := Open(t.Context(), Options{Link: Link{URL: "nats://127.0.0.1:1"}}); err == nil || err.Error() != "no server answers at nats://127.0.0.1:1" {
		t.Errorf("got %v", err)
	}
}
