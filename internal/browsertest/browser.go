// Package browsertest opens pages in a real browser, for tests: it finds Chromium,
// or leaves the test out, and records what a page says on its console and whom it
// asks for anything.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/needs"
)

// Names are what Chromium is called on a machine; the environment variable
// NERVURE_CHROMIUM comes first.
var Names = []string{"chromium", "chromium-browser", "google-chrome"}

// find returns the path of a browser, or "".
func find() string {
	for _, name := range append([]string{os.Getenv("NERVURE_CHROMIUM")}, Names...) {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// A Browser runs as long as the test that started it.
type Browser struct {
	ctx context.Context
}

// Start starts a browser without a window. Where there is none the test is left out.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := find()
	if path == "" {
		needs.LeaveOut(t, "there is no Chromium here (make parts installs it where it can; NERVURE_CHROMIUM names one)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(limit))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the process, so that its directory can go
		closed()
	})
	if err := chromedp.Do(ctx); err != nil { // without a limit in time: it would be the browser's
		t.Fatalf("the browser %s does not start: %v", path, err)
	}
	return &Browser{ctx}
}
