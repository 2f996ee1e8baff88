package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/nervure/nervure/internal/guard"
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
// then the result does not depend on the number of workers. If body panics, so does
// ForEach, once all workers have left it.
func ForEach(workers, count int, body func(worker, i int)) {
	workers = min(workers, count)
	if workers <= 1 {
		for i := range count {
			body(0, i)
		}
		return
	}
	j := &job{body: body, count: count, perGrab: max(1, min(mostPerGrab, count/(grabsPerWorker*workers)))}
	if workers <= runtime.GOMAXPROCS(0) && pool.busy.TryLock() {
		defer pool.busy.Unlock()
		pool.do(j, workers)
		return
	}
	var others guard.Group // a loop within a loop, or by somebody else
	for worker := range workers {
		others.Go(func() { j.work(worker) })
	}
	others.Wait()
	j.Throw()
}

// A job is one loop.
type job struct {
	guard.First

	body    func(worker, i int)
	count   int
	perGrab int
	next    atomic.Int64
}

func (j *job) work(worker int) {
	defer j.Keep()
	for {
		hi := int(j.next.Add(int64(j.perGrab)))
		for i := hi - j.perGrab; i < min(hi, j.count); i++ {
			j.body(worker, i)
		}
		if hi >= j.count || j.Found() {
			return
		}
	}
}

// The pool has goroutines that stay between loops. Loops of the learner follow
// each other in tenths of milliseconds, about the time that it takes to wake a
// sleeping thread; so a worker looks for the next job for a while before it sleeps.
var pool workerPool

type workerPool struct {
	guard.Group

	busy    sync.Mutex
	workers []*poolWorker
}

type poolWorker struct {
	job    atomic.Pointer[job]
	asleep atomic.Bool
	wake   chan struct{}
}

// taken stands for the job that a worker is busy with. Until then the job can be
// withdrawn: a thread that has no core, because other programs have them, would hold
// up every loop for as long as it waits for one.
var taken = new(job)

// spinLimit is how often a worker looks before it sleeps, a few hundred microseconds.
const spinLimit = 200_000

// do runs j with that many workers, the caller being the first.
func (p *workerPool) do(j *job, workers int) {
	for len(p.workers) < workers-1 {
		w := &poolWorker{wake: make(chan struct{}, 1)}
		p.workers = append(p.workers, w)
		worker := len(p.workers)
		p.Go(func() { w.serve(worker) })
	}
	for _, w := range p.workers[:workers-1] {
		w.job.Store(j)
		if w.asleep.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
	j.work(0)
	for _, w := range p.workers[:workers-1] {
		if w.job.CompareAndSwap(j, nil) {
			continue // it never came, and nothing is left to do
		}
		for looks := 0; w.job.Load() != nil; looks++ {
			if looks > spinLimit/100 {
				runtime.Gosched()
			}
		}
	}
	j.Throw()
}

func (w *poolWorker) serve(worker int) {
	for {
		for looks := 0; w.job.Load() == nil; looks++ {
			if looks < spinLimit {
				continue
			}
			w.asleep.Store(true)
			if w.job.Load() == nil || !w.asleep.CompareAndSwap(true, false) {
				<-w.wake
			}
			looks = 0
		}
		if j := w.job.Load(); j != nil && w.job.CompareAndSwap(j, taken) {
			j.work(worker)
			w.job.Store(nil)
		}
	}
}
