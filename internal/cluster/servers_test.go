//go:build !js

package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/task"
)

// serverVersion is the one that go.mod has.
const serverVersion = "v2.15.2"

// installServer builds a server of its own, as people run it.
func installServer(t testing.TB) string {
	t.Helper()
	bin := t.TempDir()
	install := exec.CommandContext(t.Context(), "go", "install", "github.com/nats-io/nats-server/v2@"+serverVersion)
	install.Env = append(os.Environ(), "GOBIN="+bin)
	if out, err := install.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		needs.LeaveOut(t, fmt.Sprintf("nats-server %s cannot be built: %s", serverVersion, lines[len(lines)-1]))
	}
	return filepath.Join(bin, "nats-server")
}

// startCluster starts servers that keep three copies, and returns their URLs.
func startCluster(t testing.TB, program string) (urls []string, servers []*exec.Cmd) {
	t.Helper()
	const size = 3
	var ports, routes []string
	for range size {
		ports = append(ports, fmt.Sprint(checks.FreeAddress(t).Port))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", checks.FreeAddress(t).Port))
	}
	for k := range size {
		s := exec.Command(program, "--name", fmt.Sprint("s", k), "--addr", "127.0.0.1", "--port", ports[k], "--jetstream", "--store_dir", t.TempDir(),
			"--cluster_name", "test", "--cluster", routes[k], "--routes", strings.Join(routes, ","), "--log", os.DevNull)
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { end(s) })
		urls, servers = append(urls, "nats://127.0.0.1:"+ports[k]), append(servers, s)
	}
	until(t, "three servers have a leader", func() bool { return hasLeader(t, urls) })
	return urls, servers
}

// hasLeader reports whether the servers can keep a stream three times.
func hasLeader(t testing.TB, urls []string) bool {
	nc, err := nats.Connect(strings.Join(urls, ","))
	if err != nil {
		return false
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(time.Second))
	if err != nil {
		return false
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "trial", Replicas: 3}); err != nil {
		return false
	}
	return js.DeleteStream(t.Context(), "trial") == nil
}

// The servers are programs of their own, and so are the workers. A server dies, and then
// a worker.
func TestAClusterOutlivesAServer(t *testing.T) {
	t.Parallel()
	needs.Long(t, "servers are built")
	urls, servers := startCluster(t, installServer(t))
	all := strings.Join(urls, ",")
	r := open(t, Options{Link: Link{URL: all, Report: func(s string) { t.Log(s) }}})
	workers := []*exec.Cmd{process(t, "worker", all), process(t, "worker", all)}
	shared := []byte(strings.Repeat("shared ", 100_000))
	tasks := learns(60)
	for k := range tasks {
		tasks[k].Data = []task.Hash{task.HashOf(shared)}
	}
	source := func(task.Hash) ([]byte, error) { return shared, nil }
	got := gather(t, r, tasks, source, func(done int) {
		switch done {
		case 10: // the one that the coordinator talks to
			end(servers[slices.Index(urls, r.conn.nc.ConnectedUrl())])
		case 20:
			end(workers[0])
		}
	})
	mustEqual(t, got, tasks, source)
	mustBeTidy(t, r)
}
