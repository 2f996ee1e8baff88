//go:build !js

package commands

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/cluster"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/internal/words"
)

// withoutWaiting opens a pipe at once, or not at all if nobody reads it.
const withoutWaiting = syscall.O_NONBLOCK

// workerCommands are the commands that join other machines: a browser cannot.
func workerCommands(c views.Console) []*cobra.Command { return []*cobra.Command{newWorker(c)} }

func newWorker(c views.Console) *cobra.Command {
	f := &arguments.Worker{}
	cmd := &cobra.Command{
		Use:   "worker --cluster URL [flags]",
		Short: "Do the work of batch, learn and others on this machine",
		Long: `Join a NATS server, take tasks of nervure batch, reproduce, compare or learn that
were started with --cluster, and send the results back. Start as many workers as
you like, on as many machines, before or after the command that has the work.
They exit after some time without work (--idle).

Results do not depend on the workers. If one is killed, this is noticed within
half a minute, and its tasks go to others. All must run the same build on the
same kind of processor: a worker that would round differently is refused.

On machines other than the server's, a token and TLS are required.`,
		Example: `  nervure worker --cluster nats://127.0.0.1:4222
  nervure worker --cluster tls://head.example.org:4222 --token-file token.txt \
    --tls-ca ca.pem --threads 8 --idle 1m`,
		Args: arguments.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return work(cmd.Context(), c, f) },
	}
	f.Define(cmd)
	return cmd
}

func work(ctx context.Context, c views.Console, f *arguments.Worker) error {
	link, err := f.Link(func(s string) { fmt.Fprintln(c.Err, s) })
	if err != nil {
		return err
	}
	threads, restore := useThreads(f.Threads)
	defer restore()
	idle := f.Patience()
	tell := func(format string, args ...any) {
		if !f.Quiet {
			c.Say(fmt.Sprintf(format, args...))
		}
	}
	kinds, done := counted(workKinds(), tell)
	tell("waiting for tasks, %s at a time", views.Plural(threads, "task"))
	err = cluster.Work(ctx, cluster.WorkerOptions{Link: link, Kinds: kinds, Threads: threads, Idle: idle})
	switch {
	case err != nil && ctx.Err() != nil:
		return views.Interrupted(fmt.Sprintf("%s done; what was begun goes to other workers", views.Plural(int(done.Load()), "task")))
	case err != nil:
		return fmt.Errorf("--cluster: %w", err)
	}
	fmt.Fprintf(c.Err, "%s done, and no more for %s\n", views.Plural(int(done.Load()), "task"), views.InWords(idle.Seconds()))
	return nil
}

// counted counts the tasks that were done, and tells when each begins and ends.
func counted(kinds task.Kinds, tell func(format string, args ...any)) (task.Kinds, *atomic.Int64) {
	var begun, done atomic.Int64
	all := task.Kinds{}
	for name, do := range kinds {
		all[name] = func(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
			number, start := begun.Add(1), time.Now()
			tell("task %d (%s) begun", number, name)
			outcome := "ended by a fault of the program" // unless there is another
			defer func() {
				tell("task %d (%s) %s after %s", number, name, outcome, views.InWords(time.Since(start).Seconds()))
			}()
			value, err := do(ctx, args, data)
			switch {
			case ctx.Err() != nil:
				outcome = "given up"
			case err != nil:
				outcome = "failed: " + words.OneLine(err)
			default:
				outcome = "done"
			}
			if ctx.Err() == nil {
				done.Add(1)
			}
			return value, err
		}
	}
	return all, &done
}

// queueDir is where a server of our own keeps tasks and results, in the directory of a
// command. It is removed when all is done.
const queueDir = "queue"

// soonMissed is how long a worker may be silent before another one takes its task, where all wait for it.
const soonMissed = 6 * time.Second

// taskRunner returns who does the tasks of a command that writes to dir, and how to take leave of it. A command
// that writes to none, "", may run tasks several times, as work of the given name. Nil is this process.
func taskRunner(ctx context.Context, c views.Console, f *arguments.Cluster, dir, name string) (task.Runner, func(), error) {
	if err := f.Check(); err != nil || !f.Asked() {
		return nil, func() {}, err
	}
	link, err := f.Link(func(s string) { fmt.Fprintln(c.Err, s) })
	if err != nil {
		return nil, nil, err
	}
	host, _ := os.Hostname() // "" names the run as well
	o := cluster.Options{Link: link, Run: name, Keep: name != ""}
	if o.Keep { // such runs wait for each other, and tasks are short
		o.AckWait = soonMissed
	}
	if dir != "" {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, nil, err
		}
		o.Dir, o.Run = filepath.Join(whole, queueDir), host+":"+whole
	}
	r, err := cluster.Open(ctx, o)
	if err != nil {
		return nil, nil, fmt.Errorf("--cluster: %w", err)
	}
	if strings.HasPrefix(link.URL, cluster.ListenPrefix) {
		fmt.Fprintf(c.Err, "workers join with: nervure worker --cluster %s%s\n", reachable(r.URL(), host), f.Joining())
	}
	return r, r.Close, nil
}

// reachable puts the name of this machine in the place of an address that stands for
// all it has.
func reachable(address, host string) string {
	u, err := url.Parse(address)
	if err != nil || host == "" {
		return address
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		u.Host = net.JoinHostPort(host, u.Port())
	}
	return u.String()
}
