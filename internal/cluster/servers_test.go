//go:build !js

package cluster

import (
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/task"
)

// startCluster starts servers that keep three copies, and returns their URLs.
func startCluster(t testing.TB) (urls []string, servers []*server.Server) {
	t.Helper()
	const size = 3
	var routes []*url.URL
	for range size {
		routes = append(routes, &url.URL{Scheme: "nats", Host: checks.FreeAddress(t).String()})
	}
	for k := range size {
		here := checks.FreeAddress(t)
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", k), Host: "127.0.0.1", Port: here.Port, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: portOf(t, routes[k])}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(s.Shutdown)
		urls, servers = append(urls, "nats://"+here.String()), append(servers, s)
	}
	until(t, "three servers have a leader", func() bool { return hasLeader(t, urls) })
	return urls, servers
}

func portOf(t testing.TB, route *url.URL) int {
	t.Helper()
	port, err := strconv.Atoi(route.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
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

// The workers are processes of their own. A server ends, and then a worker is killed.
func TestAClusterOutlivesAServer(t *testing.T) {
	t.Parallel()
	urls, servers := startCluster(t)
	all := strings.Join(urls, ",")
	r := open(t, Options{Link: Link{URL: all, Report: func(s string) { t.Log(s) }}})
	workers := []*exec.Cmd{process(t, "worker", all), process(t, "worker", all)}
	shared := []byte(strings.Repeat("shared ", 100_000))
	tasks := learns(40)
	for k := range tasks {
		tasks[k].Data = []task.Hash{task.HashOf(shared)}
	}
	source := func(task.Hash) ([]byte, error) { return shared, nil }
	got := gather(t, r, tasks, source, func(done int) {
		switch done {
		case 10: // the one that the coordinator talks to
			servers[slices.Index(urls, r.conn.nc.ConnectedUrl())].Shutdown()
		case 20:
			end(workers[0])
		}
	})
	mustEqual(t, got, tasks, source)
	mustBeTidy(t, r)
}
