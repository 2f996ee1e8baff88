package viewer

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// newJob makes an empty job. If there are too many, the oldest that is not at
// work goes.
func (s *Server) newJob() (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, refuse(http.StatusServiceUnavailable, "the server is stopping")
	}
	for len(s.jobs) >= s.limits.Kept {
		if !s.dropOldest(nil) {
			return nil, refuse(http.StatusServiceUnavailable, "%d jobs are running: try again when one has finished", len(s.jobs))
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
	s.jobs = append(s.jobs, j)
	return j, nil
}

// find returns the job of that name.
func (s *Server) find(id string) (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := slices.IndexFunc(s.jobs, func(j *job) bool { return j.id == id }); k >= 0 {
		return s.jobs[k], nil
	}
	return nil, refuse(http.StatusNotFound, "this job no longer exists: start it again")
}

// dropOldest deletes the oldest job that is not at work, nor the one to spare, and
// says whether there was one. The mutex is held.
func (s *Server) dropOldest(spare *job) bool {
	k := slices.IndexFunc(s.jobs, func(j *job) bool { return j != spare && (j.state == draft || j.state == ended) })
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
		go func() {
			<-j.done
			s.mu.Lock()
			defer s.mu.Unlock()
			s.drop(j)
		}()
	default:
		s.drop(j)
	}
}

// start puts a job into the queue.
func (s *Server) start(j *job, args []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return refuse(http.StatusServiceUnavailable, "the server is stopping")
	case j.state != draft || j.returned:
		return refuse(http.StatusConflict, "this job has already started")
	case len(s.queue) >= s.limits.Queue:
		return refuse(http.StatusTooManyRequests, "%d jobs are already waiting: try again when one has finished", len(s.queue))
	}
	if err := checkCommand(args, j.fileNames()); err != nil {
		return refuse(http.StatusBadRequest, "%s", err)
	}
	j.args = args
	if err := s.record(j, nil); err != nil {
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
	if j.state != draft {
		return refuse(http.StatusConflict, "this job has already started")
	}
	j.returned = true
	return nil
}

// adopt ends a job that has never run: its results were there before.
func (s *Server) adopt(j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.state != draft || !j.returned {
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
		go func() {
			end := s.run(j)
			s.mu.Lock()
			defer s.mu.Unlock()
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
		}()
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

// reserve makes room on disk for an upload of so many bytes.
func (s *Server) reserve(j *job, name string, size int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.state != draft {
		return refuse(http.StatusConflict, "this job has already started: its files cannot be changed")
	}
	if _, again := j.uploads[name]; !again && len(j.uploads) >= maxFiles {
		return refuse(http.StatusBadRequest, "a job has at most %d files", maxFiles)
	}
	j.uploads[name] = size
	for s.stored() > s.limits.stored() {
		if !s.dropOldest(j) {
			delete(j.uploads, name)
			return refuse(http.StatusInsufficientStorage, "all files together exceed %s: try again when a job has finished", bytesInWords(s.limits.stored()))
		}
	}
	return nil
}

// forget takes back a file that was not uploaded whole.
func (s *Server) forget(j *job, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(j.uploads, name)
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
