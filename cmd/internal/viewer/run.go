package viewer

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/cmd/internal/faults"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/memory"
)

// Exit codes of the program, and how long it may take over ending.
const (
	codeFailed = 1
	codeMisuse = 2
	codeFault  = 70
	grace      = 20 * time.Second
	lookEvery  = 100 * time.Millisecond
	// maxLine is the longest line of progress that is understood: a graph of some
	// hundred thousand edges.
	maxLine = 16 << 20
)

// run carries out a job, tells its log, and returns how it ended. The process
// reads from a pipe that ends when the job is stopped, or with us.
func (s *Server) run(j *job) (end endEvent) {
	args := slices.Concat([]string{"run", runFile}, plumbing, s.savingFlags(j))
	err := guard.Run("the start of a job", func() (err error) {
		end, err = s.follow(j, s.command(context.Background(), j, args))
		for err == nil && s.triesAgain(j, end) {
			end, err = s.follow(j, s.command(context.Background(), j, args))
		}
		return err
	})
	if found, _ := guard.Split(err); len(found) > 0 {
		end = endEvent{Code: codeFault, Error: told(err)}
	} else if err != nil {
		end = endEvent{Code: codeFailed, Error: fmt.Sprintf("the job cannot be run: %v", err)}
	}
	end.Files = s.results(j)
	return end
}

// command is the program in the directory of a job, until ctx ends.
func (s *Server) command(ctx context.Context, j *job, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Dir = filepath.Join(s.dir, j.id)
	cmd.Env = append(os.Environ(), "GOTRACEBACK=none", "NO_COLOR=1", fmt.Sprintf("GOMEMLIMIT=%d", s.limits.Memory/4*3))
	if here, err := os.Getwd(); err == nil && os.Getenv(faults.FolderVariable) == "" { // the directory of the job goes
		cmd.Env = append(cmd.Env, faults.FolderVariable+"="+here)
	}
	return cmd
}

func (s *Server) follow(j *job, cmd *exec.Cmd) (end endEvent, err error) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return end, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return end, err
	}
	if err := cmd.Start(); err != nil {
		return end, err
	}
	over, killed := make(chan struct{}), make(chan string, 1)
	var beside guard.Group
	beside.Go(func() {
		defer close(killed)
		killed <- s.guardProcess(j, cmd.Process, stdin, over)
	})
	end.Error = listen(j.log, stderr)
	err = cmd.Wait()
	close(over)
	why := <-killed
	beside.Wait()
	if why != "" {
		end.Code, end.Error = codeFailed, why
		return end, nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		end.Code = exit.ExitCode()
	} else if err != nil {
		return end, err
	}
	if end.Code == 0 {
		end.Error = ""
	} else if end.Error == "" {
		end.Error = "the job ended without an error message"
	}
	return end, nil
}

// listen tells the log what a process says on its standard error, and returns the
// sentence it complained with.
func listen(log *eventLog, stderr io.Reader) (complaint string) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		if words, ok := strings.CutPrefix(lines.Text(), "nervure: "); ok {
			words = strings.TrimPrefix(words, runFile+": ")
			complaint = words[:min(len(words), maxWords)]
			continue
		}
		log.hear(lines.Bytes())
	}
	_, _ = io.Copy(io.Discard, stderr) // of a line too long; the process must not be held up
	return complaint
}

// guardProcess ends a process that is to stop, or takes too long or too much. It
// returns why it had to be killed, or "".
func (s *Server) guardProcess(j *job, p *os.Process, stdin io.Closer, over <-chan struct{}) string {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	defer stdin.Close()
	tooLong := time.After(s.limits.Time)
	stopped := j.stopped
	var lost <-chan time.Time
	for {
		select {
		case <-over:
			return ""
		case <-tooLong:
			j.log.add(newEvent(wordsEvent{"words", fmt.Sprintf("stopped after %s, the time limit for jobs (--max-time)", s.limits.Time)}), aMessage)
			j.stop()
		case <-stopped:
			stopped = nil
			stdin.Close()
			lost = time.After(grace)
		case <-lost:
			_ = p.Kill()
			return fmt.Sprintf("the job did not stop within %s and was terminated; nothing was written", grace)
		case <-look.C:
			if used, ok := memory.Resident(p.Pid); ok && used > s.limits.Memory {
				_ = p.Kill()
				return fmt.Sprintf("the job exceeded %s of memory and was terminated: use fewer vertices or signals, or start nervure serve with a larger --max-memory",
					bytesInWords(s.limits.Memory))
			}
		}
	}
}

// results lists the files a job has written.
func (s *Server) results(j *job) []string {
	files := []string{}
	for _, name := range outputNames() {
		if info, err := j.root.Stat(name); err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	return files
}

// convert writes the graph of a job in another format, if that has not been done.
func (s *Server) convert(ctx context.Context, j *job, name string) error {
	j.convertMu.Lock()
	defer j.convertMu.Unlock()
	if _, err := j.root.Stat(name); err == nil {
		return nil
	}
	if words, err := s.do(ctx, j, "convert", graphFile, "--out", name); err != nil {
		return fmt.Errorf("the graph cannot be written as %s: %s", name, words)
	}
	return nil
}

// do runs a command that takes no time in the directory of a job, and returns what it complained
// with.
func (s *Server) do(ctx context.Context, j *job, args ...string) (complaint string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := s.command(ctx, j, args)
	var said strings.Builder
	cmd.Stderr = &said
	err = cmd.Run()
	for line := range strings.Lines(said.String()) {
		if words, ok := strings.CutPrefix(line, "nervure: "); ok {
			complaint = strings.TrimSpace(words)
		}
	}
	return complaint, err
}

// The two graphs that a page puts side by side, and what is said of them: a name that no upload has.
const firstGraph, secondGraph, differencesFile = "first.json", "second.json", ".differences.json"

// differ compares the two graphs that were uploaded to a draft, and returns the document of that.
func (s *Server) differ(ctx context.Context, j *job) ([]byte, error) {
	s.mu.Lock()
	err := s.checkReady(j)
	_, first := j.uploads[firstGraph]
	_, second := j.uploads[secondGraph]
	s.mu.Unlock()
	if err == nil && !(first && second) {
		err = refuse(http.StatusConflict, "this job does not have two graphs, %s and %s", firstGraph, secondGraph)
	}
	if err != nil {
		return nil, err
	}
	j.convertMu.Lock()
	defer j.convertMu.Unlock()
	if words, err := s.do(ctx, j, "evaluate", firstGraph, "--against", secondGraph, "--out", differencesFile); err != nil {
		return nil, refuse(http.StatusBadRequest, "the graphs cannot be compared: %s", words)
	}
	return j.root.ReadFile(differencesFile)
}

// look makes the results of a draft from the one file it has, which is a graph: that graph, and a page with it.
func (s *Server) look(ctx context.Context, j *job) error {
	s.mu.Lock()
	err := s.checkReady(j)
	names := j.fileNames()
	s.mu.Unlock()
	if err == nil && len(names) != 1 {
		err = refuse(http.StatusConflict, "to look at a graph, a job has that one file, got %d", len(names))
	}
	if err != nil {
		return err
	}
	j.convertMu.Lock()
	defer j.convertMu.Unlock()
	for _, args := range [][]string{{"convert", names[0], "--out", graphFile}, {"plot", graphFile, "--title", names[0], "--out", reportFile}} {
		if words, err := s.do(ctx, j, args...); err != nil {
			return refuse(http.StatusBadRequest, "%s", cmp.Or(words, fmt.Sprintf("%s cannot be opened as a graph: it takes too long", names[0])))
		}
	}
	if err := s.giveBack(j); err != nil {
		return err
	}
	return s.adopt(j)
}
