//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/memory"
)

// actsAsProgram makes this test binary the program itself: the server, which tells of
// its inside when it is asked, and the jobs it starts.
const actsAsProgram = "NERVURE_TEST_ACTS_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(actsAsProgram) == "" {
		os.Exit(m.Run())
	}
	if len(os.Args) > 1 && os.Args[1] == "serve" { // jobs need their standard input
		go tellOfInside(os.Stdin, os.Stdout)
	}
	main()
}

// An inside is what only a process itself knows.
type inside struct {
	Goroutines int   `json:"goroutines"`
	Heap       int64 `json:"heap"` // bytes in use after a collection
}

// tellOfInside answers each line.
func tellOfInside(r io.Reader, w io.Writer) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		_ = json.NewEncoder(w).Encode(inside{runtime.NumGoroutine(), int64(m.HeapAlloc)})
	}
}

// A sample is what a server takes while nobody asks anything of it.
type sample struct {
	inside

	at       time.Duration
	resident int64 // bytes
	files    int   // open, those of kept jobs aside: each job has its directory open
	kept     int   // jobs with a directory
	beside   int   // entries of the temporary directory besides the server's own directory
}

func (s sample) String() string {
	return fmt.Sprintf("%s: %.1f MB resident, %.2f MB of heap, %d goroutines, %d open files, %d jobs kept",
		s.at.Round(time.Second), float64(s.resident)/1e6, float64(s.Heap)/1e6, s.Goroutines, s.files, s.kept)
}

// A process is a server at work.
type process struct {
	cmd    *exec.Cmd
	temp   string // its temporary directory
	url    string
	cookie string
	ask    io.WriteCloser
	told   *bufio.Reader
	begun  time.Time
	over   chan struct{} // closed when it has ended
	died   error         // then set

	mu   sync.Mutex
	said bytes.Buffer // on standard error, after the address
}

// serve starts the server.
func serve(t *testing.T, flags ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(self, append([]string{"serve", "--port", "0"}, flags...)...), temp: t.TempDir(), begun: time.Now(), over: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), actsAsProgram+"=yes", "TMPDIR="+p.temp)
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.ask, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.told = bufio.NewReader(stdout)
	page, err := browsertest.Serve(p.cmd)
	if err != nil {
		t.Fatal(err)
	}
	p.url, p.cookie = page.URL, page.Cookie
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	if _, err := page.Said.ReadString('\n'); err != nil { // how to stop it
		t.Fatal(err)
	}
	go func() {
		lines := bufio.NewScanner(page.Said)
		for lines.Scan() {
			p.mu.Lock()
			fmt.Fprintln(&p.said, lines.Text())
			p.mu.Unlock()
		}
		p.died = p.cmd.Wait()
		close(p.over)
	}()
	return p
}

// complaints is what the server has said besides its address: a server has nothing to
// say of requests, however bad.
func (p *process) complaints() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// rest waits until no job is at work, and reports whether that came true.
func (p *process) rest(patience time.Duration) bool {
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if len(p.workers()) == 0 {
			return true
		}
		if time.Since(begun) > patience {
			return false
		}
	}
}

// workers are the processes that work in the server's directory.
func (p *process) workers() (list []string) {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, p.temp) {
			list = append(list, link)
		}
	}
	return list
}

// look takes a sample.
func (p *process) look() (s sample, err error) {
	s.at = time.Since(p.begun)
	if _, err := io.WriteString(p.ask, "\n"); err != nil {
		return s, err
	}
	line, err := p.told.ReadBytes('\n')
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(line, &s.inside); err != nil {
		return s, err
	}
	s.resident, _ = memory.Resident(p.cmd.Process.Pid)
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		return s, err
	}
	top, err := os.ReadDir(p.temp)
	if err != nil {
		return s, err
	}
	jobs, err := filepath.Glob(filepath.Join(p.temp, "nervure-serve-*", "*"))
	s.kept, s.files, s.beside = len(jobs), len(open)-len(jobs), len(top)-1
	return s, err
}

// end stops the server as Ctrl-C does.
func (p *process) end() error {
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	<-p.over
	return p.died
}

func (p *process) alive() bool {
	select {
	case <-p.over:
		return false
	default:
		return true
	}
}
