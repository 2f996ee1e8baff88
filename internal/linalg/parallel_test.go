package linalg

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/guard"
)

// Loops share their work among threads that run at the same time, also where the tests are
// run on one processor.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	m.Run()
}

func TestForEachDoesEveryItemOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 3, 9} {
		for _, count := range []int{0, 1, 2, 7, 100, 1001} {
			seen := make([]atomic.Int32, count)
			ForEach(workers, count, func(worker, i int) {
				if worker < 0 || worker >= max(workers, 1) {
					t.Errorf("worker %d of %d", worker, workers)
				}
				seen[i].Add(1)
			})
			for i := range seen {
				if n := seen[i].Load(); n != 1 {
					t.Fatalf("%d workers: item %d of %d was done %d times", workers, i, count, n)
				}
			}
		}
	}
}

// Scratch of a worker belongs to one goroutine at a time; the race detector looks.
func TestWorkersOwnTheirScratch(t *testing.T) {
	scratch := make([]int, 4)
	for range 200 {
		ForEach(4, 50, func(worker, _ int) { scratch[worker]++ })
	}
	total := 0
	for _, n := range scratch {
		total += n
	}
	if total != 200*50 {
		t.Errorf("%d items", total)
	}
}

func TestForEachWithinForEachAndBesideIt(t *testing.T) {
	var total atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				ForEach(2, 10, func(int, int) {
					ForEach(2, 10, func(int, int) { total.Add(1) })
				})
			}
		})
	}
	wg.Wait()
	if total.Load() != 4*50*100 {
		t.Errorf("%d calls", total.Load())
	}
}

// Hands that have gone to sleep wake up for the next loop.
func TestForEachAfterASleep(t *testing.T) {
	for range 3 {
		var total atomic.Int64
		ForEach(min(2, runtime.GOMAXPROCS(0)), 100, func(int, int) { total.Add(1) })
		if total.Load() != 100 {
			t.Fatalf("%d calls", total.Load())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A loop ends when its items are done, even if a worker never gets a core: this one
// has no goroutine.
func TestALoopDoesNotWaitForAWorkerThatNeverCame(t *testing.T) {
	absent := &poolWorker{wake: make(chan struct{}, 1)}
	p := workerPool{workers: []*poolWorker{absent}}
	done := 0
	p.do(&job{body: func(int, int) { done++ }, count: 10, perGrab: 1}, 2)
	if done != 10 || absent.job.Load() != nil {
		t.Errorf("%d of 10 items are done, and the job left to the worker is %v", done, absent.job.Load())
	}
}

// Whoever asks for a loop gets its panic, and loops go on working, within others and beside them.
func TestAPanicInALoopIsThatOfItsCaller(t *testing.T) {
	for _, workers := range []int{1, 2, 4, 100} {
		for range 20 {
			err := guard.Run("the loop", func() error {
				ForEach(workers, 200, func(_, i int) {
					ForEach(2, 10, func(_, k int) {
						if i == 60 && k == 5 {
							panic("boom")
						}
					})
				})
				return nil
			})
			if f, ok := errors.AsType[*guard.Fault](err); !ok || f.Value != "boom" || !strings.Contains(f.Stack, "TestAPanicInALoop") {
				t.Fatalf("%d workers: got %v", workers, err)
			}
		}
		var done atomic.Int32
		ForEach(workers, 200, func(int, int) { done.Add(1) })
		if done.Load() != 200 {
			t.Errorf("%d workers did %d items afterwards", workers, done.Load())
		}
	}
}
