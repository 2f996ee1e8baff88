package task

import (
	"time"

	"github.com/nervure/nervure/internal/guard"
)

// reportEvery is how often progress is told while nothing happens: workers come and go.
const reportEvery = 2 * time.Second

// KeepReporting calls report every two seconds, until end is called.
func KeepReporting(report func()) (end func()) {
	over := make(chan struct{})
	var teller guard.Group
	teller.Go(func() {
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				report()
			case <-over:
				return
			}
		}
	})
	return func() {
		close(over)
		teller.Wait()
	}
}
