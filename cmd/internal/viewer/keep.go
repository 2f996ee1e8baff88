package viewer

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/durable"
)

// Jobs that survive a restart of the server. Each has its run, and how it
// ended, in a file of its directory, and saves its run beside it; see nervure learn
// --checkpoint. The token is kept as well, so that an open page finds its job again.

// What is kept under names that no upload can have.
const (
	tokenFile     = ".token"
	recordFile    = ".job.json"
	runFile       = ".run.json"
	checkpointDir = ".checkpoint"
)

// A record is what is kept of a job that has started.
type record struct {
	Run document.Run `json:"run"`
	End *endEvent    `json:"end,omitempty"`
}

// NewKeepingServer returns a server like [NewServer] whose jobs are kept in dir, which is
// made if it is not there. Jobs of an earlier server that had not ended go on. Only one
// server may use a directory at a time.
func NewKeepingServer(program string, c Config, l Limits, address net.Addr, dir string) (*Server, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	release, err := durable.Claim(dir)
	if err != nil {
		return nil, err
	}
	s := &Server{program: program, config: c, limits: l.resolve(), hosts: newHostList(address), dir: dir, keeps: true, release: release}
	if s.token, err = keptToken(filepath.Join(dir, tokenFile)); err == nil {
		err = s.restore()
	}
	if err != nil {
		release()
		return nil, err
	}
	return s, nil
}

// keptToken returns the token of an earlier server, or a new one.
func keptToken(path string) (string, error) {
	token, err := os.ReadFile(path)
	if err == nil && len(token) >= len(rand.Text()) {
		return string(token), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	fresh := rand.Text()
	return fresh, os.WriteFile(path, []byte(fresh), 0o600)
}

// restore finds the jobs of an earlier server, the oldest first. Drafts are deleted:
// whoever was uploading has got an error.
func (s *Server) restore() error {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	started := map[*job]time.Time{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, entry := range list {
		if !entry.IsDir() {
			continue
		}
		path := filepath.Join(s.dir, entry.Name())
		var r record
		text, err := os.ReadFile(filepath.Join(path, recordFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err != nil || json.Unmarshal(text, &r) != nil || !jobName.MatchString(entry.Name()) {
			if err := clearDraft(path, entry.Name()); err != nil {
				return err
			}
			continue
		}
		j, err := s.restoreJob(entry.Name(), r)
		if err != nil {
			return err
		}
		if info, err := os.Stat(filepath.Join(path, recordFile)); err == nil {
			started[j] = info.ModTime()
		}
	}
	slices.SortStableFunc(s.jobs, func(a, b *job) int { return started[a].Compare(started[b]) })
	for _, j := range s.jobs {
		if j.state == waiting {
			s.queue = append(s.queue, j)
		}
	}
	s.advance()
	s.tellQueue()
	return nil
}

// jobName is what directories of jobs are called; see [rand.Text].
var jobName = regexp.MustCompile(`^[A-Z2-7]{26,}$`)

// clearDraft deletes the directory of a draft. What is not named like a job is somebody
// else's, and stays.
func clearDraft(path, name string) error {
	if !jobName.MatchString(name) {
		return fmt.Errorf("%s is not the directory of a job: give an empty or a new directory", path)
	}
	return os.RemoveAll(path)
}

// restoreJob takes up a job. The mutex is held.
func (s *Server) restoreJob(id string, r record) (*job, error) {
	root, err := os.OpenRoot(filepath.Join(s.dir, id))
	if err != nil {
		return nil, err
	}
	j := openJob(id, root)
	j.log.next = int(time.Now().UnixMilli()) // beyond what any page has heard of it
	j.run, j.state, j.restored = &r.Run, waiting, true
	files, err := os.ReadDir(filepath.Join(s.dir, id))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && checkUploadName(f.Name()) == nil {
			j.uploads[f.Name()] = info.Size()
		}
	}
	if err := checkRun(j.run, j.fileNames()); err != nil && r.End == nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(s.dir, id, recordFile), err)
	}
	if r.End != nil {
		j.state = ended
		j.log.end(*r.End)
		close(j.done)
	}
	s.jobs = append(s.jobs, j)
	return j, nil
}

// record keeps the run of a job and, if it is not nil, how it ended.
func (s *Server) record(j *job, end *endEvent) error {
	if !s.keeps {
		return nil
	}
	return dataio.WriteFile(filepath.Join(s.dir, j.id, recordFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(record{*j.run, end})
	})
}

// writeRun writes the document of a job for its process, whose standard input is taken.
func (s *Server) writeRun(j *job) error {
	return dataio.WriteFile(filepath.Join(s.dir, j.id, runFile), func(w io.Writer) error { return document.Write(w, j.run) })
}

// savingFlags make a job save its run, if jobs are kept and it can.
func (s *Server) savingFlags(j *job) []string {
	if !s.keeps || j.run.Compare != nil {
		return nil
	}
	return []string{"--checkpoint", checkpointDir, "--resume"}
}

// triesAgain reports whether a job that was restored could not go on with what it had
// saved, but can if it is run again: after a while if its process of the last server is
// still ending, or again if the program is another one by now.
func (s *Server) triesAgain(j *job, end endEvent) bool {
	saved := filepath.Join(s.dir, j.id, checkpointDir)
	if _, err := os.Stat(saved); err != nil || !j.restored || end.Code != codeMisuse || !strings.Contains(end.Error, checkpointDir) {
		return false
	}
	if !strings.Contains(end.Error, "another process") {
		return os.RemoveAll(saved) == nil
	}
	select {
	case <-time.After(lookEvery):
		return true
	case <-j.stopped:
		return false
	}
}
