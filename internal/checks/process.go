package checks

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/run"
)

// PeakMemory returns the most memory that this process has had so far, in megabytes
// (10⁶ bytes). It needs Linux.
func PeakMemory(b testing.TB) float64 {
	b.Helper()
	peak, ok := memory.Peak()
	if !ok {
		b.Fatal("this system does not tell how much memory a process has had")
	}
	return float64(peak) / 1e6
}

// CPUTime returns the processor time that this process has taken so far. Tests measure
// with it how much work is done after a run was told to stop.
func CPUTime(t testing.TB) time.Duration {
	t.Helper()
	used, err := run.CPUTime()
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// FreeAddress returns an address on this machine that nobody listens at when it is asked for.
func FreeAddress(t testing.TB) *net.TCPAddr {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr)
}

// EndsAfter returns a context that ends once it has been asked that many times whether it
// has: work that is stopped by it stops at the same place every time. It does not
// wake those that wait for its end.
func EndsAfter(looks int) context.Context {
	return &ending{Context: context.Background(), looks: int64(looks)}
}

type ending struct {
	context.Context

	asked atomic.Int64
	looks int64
}

// Err counts.
func (e *ending) Err() error {
	if e.asked.Add(1) > e.looks {
		return context.Canceled
	}
	return nil
}
