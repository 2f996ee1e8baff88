package viewer

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nervure/nervure/document"
)

// newJob makes an empty job. If there are too many, the oldest that nobody uses
// goes. If all are in use, the new one is refused.
func (s *Server) newJob() (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, refuse(http.StatusServiceUnavailable, "the server is stopping")
	}
	for len(s.jobs) >= s.limits.Kept {
		if !s.dropOldest(nil) {
			return nil, refuse(http.StatusServiceUnavailable, "all %d jobs of this server are in use: try again in a minute", len(s.jobs))
		}
	}
	id := rand.Text()
	dir := filepath.Join(s.dir, id)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	j := openJob(id, root)
	j.used = time.Now()
	s.jobs = append(s.jobs, j)
	return j, nil
}

// enter returns the job of that name, for a request. It is not given up for another
// before the request has left.
func (s *Server) enter(id string) (j *job, leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := slices.IndexFunc(s.jobs, func(j *job) bool { return j.id == id })
	if k < 0 {
		return nil, nil, errGone
	}
	j = s.jobs[k]
	j.requests++
	return j, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		j.requests--
		j.used = time.Now()
	}, nil
}

// isGone reports whether a job was deleted.
func (s *Server) isGone(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return j.gone
}

// errGone answers a request about a job that was deleted, before or meanwhile.
var errGone = refuse(http.StatusNotFound, "this job no longer exists: start it again")

// dropOldest deletes the oldest job that nobody uses, other than the one to spare, and
// reports whether there was one. The mutex is held.
func (s *Server) dropOldest(spare *job) bool {
	k := slices.IndexFunc(s.jobs, func(j *job) bool {
		return j != spare && (j.state == draft || j.state == ended) && j.requests == 0 && time.Since(j.used) >= s.limits.Idle
	})
	if k < 0 {
		return false
	}
	s.drop(s.jobs[k])
	return true
}

// drop deletes a job that is not at work, with its files. The mutex is held.
func (s *Server) drop(j *job) {
	k := slices.Index(s.jobs, j)
	if k < 0 {
		return
	}
	s.jobs = slices.Delete(s.jobs, k, k+1)
	j.gone = true
	if j.away != nil {
		j.away.Stop()
	}
	j.root.Close()
	os.RemoveAll(filepath.Join(s.dir, j.id))
}

// remove deletes a job, whatever it is doing.
func (s *Server) remove(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch j.state {
	case waiting:
		s.queue = slices.DeleteFunc(s.queue, func(other *job) bool { return other == j })
		s.drop(j)
		s.tellQueue()
	case running:
		j.stop()
		s.aside(func() {
			<-j.done
			s.mu.Lock()
			defer s.mu.Unlock()
			s.drop(j)
		})
	default:
		s.drop(j)
	}
}

// checkReady says why a job cannot be started, get results of an earlier run, or be ended
// with them: it must be there with all its files, and must not have started. The mutex is held.
func (s *Server) checkReady(j *job) error {
	switch {
	case s.closed:
		return refuse(http.StatusServiceUnavailable, "the server is stopping")
	case j.gone:
		return errGone
	case len(j.arriving) > 0:
		return refuse(http.StatusConflict, "a file of this job is still being uploaded: go on when all its files have arrived")
	case j.state != draft:
		return refuse(http.StatusConflict, "this job has already started")
	}
	return nil
}

// start puts a job into the queue.
func (s *Server) start(j *job, run *document.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkReady(j); err != nil {
		return err
	}
	if j.returned {
		return refuse(http.StatusConflict, "this job has results of an earlier run: start another one")
	}
	if len(s.queue) >= s.limits.Queue {
		return refuse(http.StatusTooManyRequests, "%d jobs are already waiting: try again when one has finished", len(s.queue))
	}
	if err := checkRun(run, j.fileNames()); err != nil {
		return refuse(http.StatusBadRequest, "%s", err)
	}
	j.run = run
	if err := errors.Join(s.writeRun(j), s.record(j, nil)); err != nil {
		return fmt.Errorf("the job cannot be kept: %w", err)
	}
	j.state = waiting
	s.queue = append(s.queue, j)
	s.watchAway(j)
	s.advance()
	s.tellQueue()
	return nil
}

// giveBack says that a job gets results of an earlier run.
func (s *Server) giveBack(j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkReady(j); err != nil {
		return err
	}
	j.returned = true
	return nil
}

// adopt ends a job that has never run: its results were there before.
func (s *Server) adopt(j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkReady(j); err != nil {
		return err
	}
	if !j.returned {
		return refuse(http.StatusConflict, "this job has no results to take back")
	}
	j.state = ended
	j.log.end(endEvent{Files: s.results(j)})
	close(j.done)
	return nil
}

// advance starts jobs as long as there is room. The mutex is held.
func (s *Server) advance() {
	for s.atWork < s.limits.Running && len(s.queue) > 0 && !s.closed {
		j := s.queue[0]
		s.queue = s.queue[1:]
		s.atWork++
		j.state = running
		s.aside(func() {
			end := s.run(j)
			s.mu.Lock()
			defer s.mu.Unlock()
			j.used = time.Now()
			if j.state = ended; s.keeps && s.closed { // it goes on with the next server
				close(j.done)
				return
			}
			if err := s.record(j, &end); err != nil {
				end.Error = cmp.Or(end.Error, fmt.Sprintf("the job cannot be kept: %v", err))
			}
			j.log.end(end) // only now: who hears of it asks for the results at once
			if j.away != nil {
				j.away.Stop()
			}
			s.atWork--
			close(j.done)
			s.advance()
			s.tellQueue()
		})
	}
}

// tellQueue tells those who wait how long the queue is. The mutex is held.
func (s *Server) tellQueue() {
	for k, j := range s.queue {
		j.log.add(newEvent(queuedEvent{"queued", k + s.atWork}), aMessage)
	}
}

// watch says that somebody watches a job; the function it returns, that he no
// longer does.
func (s *Server) watch(j *job) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.watchers++
	if j.away != nil {
		j.away.Stop()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		j.watchers--
		s.watchAway(j)
	}
}

// watchAway deletes a job at work that nobody watches for a while: its page is
// gone. The mutex is held.
func (s *Server) watchAway(j *job) {
	if j.watchers > 0 || (j.state != waiting && j.state != running) {
		return
	}
	if j.away != nil {
		j.away.Stop()
	}
	j.away = time.AfterFunc(s.limits.Away, func() {
		s.mu.Lock()
		gone := !s.closed && j.watchers == 0 && (j.state == waiting || j.state == running)
		s.mu.Unlock()
		if gone {
			s.remove(j)
		}
	})
}

// expect makes room on disk for an upload of that many bytes. The job cannot start
// before the upload has come to its end, and until then no other one can have its name:
// see [Server.arrived].
func (s *Server) expect(j *job, name string, size int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.gone {
		return errGone
	}
	if j.state != draft {
		return refuse(http.StatusConflict, "this job has already started: its files cannot be changed")
	}
	if j.arriving[name] {
		return refuse(http.StatusConflict, "%s is already being uploaded: wait until that has ended", name)
	}
	if _, again := j.uploads[name]; !again && len(j.uploads) >= maxFiles {
		return refuse(http.StatusBadRequest, "a job has at most %d files", maxFiles)
	}
	if err := s.reserve(j, name, size); err != nil {
		return err
	}
	j.arriving[name] = true
	return nil
}

// arrived ends an upload, of that many bytes if it arrived whole, and returns what to
// answer. If it failed, there is no file of that name any more: it has been written over.
func (s *Server) arrived(j *job, name string, size int64, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(j.arriving, name)
	if j.gone {
		return errGone
	}
	if err == nil {
		err = s.reserve(j, name, size)
	}
	if err != nil {
		delete(j.uploads, name)
		_ = j.root.Remove(name)
	}
	return err
}

// reserve makes room on disk for a file of that many bytes. If there is none, an earlier
// file of that name still counts. The mutex is held.
func (s *Server) reserve(j *job, name string, size int64) error {
	before, again := j.uploads[name]
	j.uploads[name] = size
	for s.stored() > s.limits.stored() {
		if !s.dropOldest(j) {
			if delete(j.uploads, name); again {
				j.uploads[name] = before
			}
			return refuse(http.StatusInsufficientStorage, "all files together exceed %s: try again in a minute, when other jobs may be over", bytesInWords(s.limits.stored()))
		}
	}
	return nil
}

// stored is what all uploads take on disk, or have reserved. The mutex is held.
func (s *Server) stored() (total int64) {
	for _, j := range s.jobs {
		total += j.size()
	}
	return total
}

// maxFiles is how many files a job may have: signals, vertices, and what is known
// of the graph.
const maxFiles = 8
