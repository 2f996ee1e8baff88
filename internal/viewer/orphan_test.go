package viewer

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A server that is killed takes its jobs along: they see the end of their input.
func TestJobsEndWithTheServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: only Linux tells where processes are")
	}
	temp := t.TempDir()
	cmd := exec.Command(program(t), "serve", "--port", "0")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url, token, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "open ")), "/?token=")
	port := url[strings.LastIndex(url, ":")+1:]
	v := &visitor{t, &Server{token: token, hosts: hostList{port: port}}, url, http.DefaultClient}
	job := v.start(noise(60, 600), quick)
	v.follow(job, func(e map[string]any) bool { return e["event"] == "graph" })
	if len(processesBelow(t, temp)) == 0 {
		t.Fatal("the job has no process")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait() // it was killed
	v.eventually("the process of the job is gone", func() bool { return len(processesBelow(t, temp)) == 0 })
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
