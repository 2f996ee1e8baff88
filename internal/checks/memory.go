package checks

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// PeakMemory returns the most memory that this process has had so far, in megabytes
// (10⁶ bytes). It needs Linux.
func PeakMemory(b testing.TB) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	var kibibytes float64
	if _, err := fmt.Sscan(rest, &kibibytes); err != nil {
		b.Fatal(err)
	}
	return kibibytes * 1024 / 1e6
}
