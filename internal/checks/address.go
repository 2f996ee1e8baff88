package checks

import (
	"net"
	"testing"
)

// FreeAddress returns an address on this machine that nobody listens at, at least for now.
func FreeAddress(t testing.TB) *net.TCPAddr {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr)
}
