package linalg

import (
	"sync"
	"sync/atomic"
)

// A worker grabs up to mostPerGrab items at a time, which balances the cost of
// sharing a counter against idle workers; where there are few items for each
// worker it grabs fewer.
const (
	mostPerGrab    = 8
	grabsPerWorker = 4
)

// ForEach calls body(worker, i) for every i in [0, count), from as many
// goroutines as there are workers. Items go to whoever is free, so body must
// write only to places that belong to i, or to scratch that belongs to worker:
// then the result does not depend on the number of workers.
func ForEach(workers, count int, body func(worker, i int)) {
	if workers <= 1 || count <= 1 {
		for i := range count {
			body(0, i)
		}
		return
	}
	perGrab := max(1, min(mostPerGrab, count/(grabsPerWorker*workers)))
	var next atomic.Int64
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for {
				hi := int(next.Add(int64(perGrab)))
				for i := hi - perGrab; i < min(hi, count); i++ {
					body(worker, i)
				}
				if hi >= count {
					return
				}
			}
		})
	}
	wg.Wait()
}
