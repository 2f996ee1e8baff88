//go:build linux

package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/rng"
)

var (
	soakTime = flag.Duration("soak", 2*time.Second, "how long the server is under load")
	soakSeed = flag.Uint64("soak-seed", 1, "of what its clients do; any must pass")
)

// Limits of a server that nobody uses at the moment. A goroutine or a file that every
// hundredth request leaves behind is beyond them within minutes.
const (
	clients        = 4
	moreGoroutines = 4         // than at its start
	moreFiles      = 4         // than at its start
	mostKept       = 24        // jobs
	mostResident   = 300 << 20 // bytes
	moreHeap       = 2 << 20   // bytes, late against early, and a quarter
	moreResident   = 24 << 20  // bytes, late against early, and a quarter
)

// A soak is a server under load, and what became of it.
type soak struct {
	server *process

	requests, jobs, refused atomic.Int64

	mu     sync.Mutex
	faults []string
	count  int // of faults, also those that are not listed
}

// fault notes that something is wrong.
func (s *soak) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count++; len(s.faults) < 50 {
		s.faults = append(s.faults, fmt.Sprintf("after %s: ", time.Since(s.server.begun).Round(time.Second))+fmt.Sprintf(format, args...))
	}
}

// A server under mixed load takes no more memory, files and goroutines as time goes by,
// makes no mistake, takes no job away that is in use, and leaves nothing behind. An hour
// of it:
//
//	make soak
func TestTheServerDoesNotGrow(t *testing.T) {
	s := &soak{server: serve(t, "--jobs", "2", "--max-upload", "2MB")}
	start, err := s.server.look()
	if err != nil {
		t.Fatal(err)
	}
	samples := s.load(t, start)
	early, late := windows(samples)
	for _, c := range []struct {
		what string
		of   func(sample) float64
		more float64
	}{{"heap", heap, moreHeap}, {"resident memory", resident, moreResident}} {
		if before, after := median(early, c.of), median(late, c.of); after > 1.25*before+c.more {
			s.fault("%s has grown from %.1f to %.1f MB", c.what, before/1e6, after/1e6)
		}
	}
	s.leave(start)
	t.Attr("tried", fmt.Sprint(s.requests.Load()))
	t.Attr("faults", fmt.Sprint(s.count))
	t.Attr("note", fmt.Sprintf("%s, %d jobs; resident %.0f then %.0f MB, heap %.2f then %.2f MB, goroutines %.0f then %.0f, files %.0f then %.0f", *soakTime, s.jobs.Load(),
		median(early, resident)/1e6, median(late, resident)/1e6, median(early, heap)/1e6, median(late, heap)/1e6,
		median(early, goroutines), median(late, goroutines), median(early, files), median(late, files)))
	t.Logf("%d requests, %d jobs, %d refused for want of room", s.requests.Load(), s.jobs.Load(), s.refused.Load())
	for _, f := range s.faults {
		t.Errorf("seed %d, %s", *soakSeed, f)
	}
}

// load has the clients at work, and takes samples while all of them pause.
func (s *soak) load(t *testing.T, start sample) (samples []sample) {
	t.Helper()
	var pause sync.RWMutex // clients at work share it
	over := make(chan struct{})
	var all sync.WaitGroup
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	// Clients think for two seconds on average if they have an hour.
	think := min(max(*soakTime/1800, 20*time.Millisecond), 2*time.Second)
	for k := range clients {
		c := &client{s, rng.Stream(*soakSeed, "client", k), &http.Client{Transport: transport}}
		all.Go(func() {
			for {
				pause.RLock()
				actions[c.random.IntN(len(actions))](c)
				pause.RUnlock()
				select {
				case <-over:
					return
				case <-time.After(time.Duration(c.random.ExpFloat64() * float64(think))):
				}
			}
		})
	}
	every := max(*soakTime/60, 500*time.Millisecond)
	for begun := time.Now(); (time.Since(begun) < *soakTime || len(samples) < 2) && s.server.alive(); {
		time.Sleep(every)
		pause.Lock()
		if !s.server.rest(patience) {
			s.fault("a job that nobody watches is still at work: %v", s.server.workers())
		}
		transport.CloseIdleConnections()
		if now, err := s.settled(start, mostKept); err != nil {
			s.fault("the server no longer tells of itself: %v", err)
		} else {
			t.Log(now)
			samples = append(samples, now)
			s.check(start, now)
		}
		pause.Unlock()
	}
	close(over)
	all.Wait()
	transport.CloseIdleConnections()
	return samples
}

// settled takes a sample when those who hung up have been noticed and at most that many
// jobs are kept, or have not for long.
func (s *soak) settled(start sample, kept int) (now sample, err error) {
	for range 100 {
		if now, err = s.server.look(); err != nil || now.Goroutines <= start.Goroutines && now.files <= start.files && now.kept <= kept {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return now, err
}

// check compares a sample with what the server was at its start.
func (s *soak) check(start, now sample) {
	for _, c := range []struct {
		what      string
		got, most int64
	}{
		{"goroutines of a server at rest", int64(now.Goroutines), int64(start.Goroutines + moreGoroutines)},
		{"open files of a server at rest", int64(now.files), int64(start.files + moreFiles)},
		{"jobs that are kept", int64(now.kept), mostKept},
		{"entries of the temporary directory besides the server's", int64(now.beside), 0},
		{"resident bytes", now.resident, mostResident},
	} {
		if c.got > c.most {
			s.fault("%d %s, want at most %d", c.got, c.what, c.most)
		}
	}
}

// windows are the samples of the second and of the last quarter of the time, if there
// are that many.
func windows(samples []sample) (early, late []sample) {
	n := len(samples)
	if n < 4 {
		return samples[:n/2], samples[n/2:]
	}
	return samples[n/4 : n/2], samples[n-n/4:]
}

func heap(s sample) float64       { return float64(s.Heap) }
func resident(s sample) float64   { return float64(s.resident) }
func goroutines(s sample) float64 { return float64(s.Goroutines) }
func files(s sample) float64      { return float64(s.files) }

func median(samples []sample, of func(sample) float64) float64 {
	var list []float64
	for _, s := range samples {
		list = append(list, of(s))
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}

// leave ends the server, which leaves nothing behind.
func (s *soak) leave(start sample) {
	s.server.rest(patience)
	if now, err := s.settled(start, mostKept); err != nil {
		s.fault("the server no longer tells of itself: %v", err)
	} else {
		s.check(start, now)
	}
	if err := s.server.end(); err != nil {
		s.fault("the server ends with %v", err)
	}
	if said := s.server.complaints(); said != "" {
		s.fault("the server says %s", strings.TrimSpace(said))
	}
	if left, err := os.ReadDir(s.server.temp); err != nil || len(left) > 0 {
		s.fault("%v is left behind, %v", left, err)
	}
}
