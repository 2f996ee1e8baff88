package viewer

import (
	"net/http"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
)

// A server that is killed takes its jobs along: they see the end of their input.
func TestJobsEndWithTheServer(t *testing.T) {
	cmd, temp, v := serveWithAJob(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	v.eventually("the process of the job is gone", func() bool { return len(processesBelow(t, temp)) == 0 })
}

// What a killed server has left goes when the next one starts, but not what a living one
// has.
func TestTheNextServerRemovesWhatAKilledOneLeft(t *testing.T) {
	killed, temp, v := serveWithAJob(t)
	dirs := func() []string {
		list, err := filepath.Glob(filepath.Join(temp, "nervure-serve-*"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	left := dirs()
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	v.eventually("the process of the job is gone", func() bool { return len(processesBelow(t, temp)) == 0 })
	like := filepath.Join(temp, "nervure-serve-1234567")
	if err := os.Mkdir(like, 0o700); err != nil { // not by us
		t.Fatal(err)
	}
	if len(left) != 1 {
		t.Fatalf("%v are there, want the uploads of the killed server", left)
	}
	serveProcess(t, temp)
	second := dirs()
	if slices.Contains(second, left[0]) || len(second) != 2 {
		t.Errorf("after the next start, %v are there", second)
	}
	serveProcess(t, temp)
	third := dirs()
	for _, dir := range second {
		if !slices.Contains(third, dir) {
			t.Errorf("%s is gone", dir)
		}
	}
}

// What was uploaded does not outlive the server, however it is told to end: by
// Ctrl-C, by another process, or by closing its terminal.
func TestAServerThatEndsLeavesNothingBehind(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			if ossignal.Ignored(signal) { // as nohup has it; the server would inherit that
				ossignal.Notify(make(chan os.Signal, 1), signal)
				t.Cleanup(func() { ossignal.Ignore(signal) })
			}
			cmd, temp, _ := serveWithAJob(t)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("%v is left behind, %v", left, err)
			}
			if left := processesBelow(t, temp); len(left) > 0 {
				t.Errorf("%v still run", left)
			}
		})
	}
}

// serveWithAJob starts a server as a process of its own, with files in temp and a
// job at work.
func serveWithAJob(t *testing.T) (cmd *exec.Cmd, temp string, v *visitor) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("left out: only Linux tells where processes are")
	}
	temp = t.TempDir()
	cmd, v = serveProcess(t, temp)
	job := v.start(noise(60, 600), quick)
	v.follow(job, func(e map[string]any) bool { return e["event"] == "graph" })
	if len(processesBelow(t, temp)) == 0 {
		t.Fatal("the job has no process")
	}
	return cmd, temp, v
}

// serveProcess starts a server as a process of its own, with files in temp.
func serveProcess(t *testing.T, temp string, flags ...string) (*exec.Cmd, *visitor) {
	t.Helper()
	cmd := exec.Command(program(t), append([]string{"serve", "--port", "0"}, flags...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	page, err := browsertest.Serve(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	port := page.URL[strings.LastIndex(page.URL, ":")+1:]
	return cmd, &visitor{t, &Server{token: page.Token, hosts: hostList{port: port}}, page.URL, http.DefaultClient}
}

// processesBelow lists the processes that work in a directory or below.
func processesBelow(t *testing.T, dir string) (list []string) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, dir) {
			list = append(list, link)
		}
	}
	return list
}
