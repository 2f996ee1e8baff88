//go:build !js

package cli

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/internal/cluster"
	"github.com/nervure/nervure/internal/task"
)

// workerFlags are the flags of worker as they were typed.
type workerFlags struct {
	cluster clusterFlags
	threads count
	idle    timeSpan
}

// defaultIdle is how long a worker waits for tasks.
const defaultIdle = 10 * time.Minute

// workerCommands are the commands that join other machines: a browser cannot.
func workerCommands(c console) []*cobra.Command { return []*cobra.Command{newWorker(c)} }

func newWorker(c console) *cobra.Command {
	f := &workerFlags{threads: count{least: 0, most: maxThreads}}
	cmd := &cobra.Command{
		Use:   "worker --cluster URL [flags]",
		Short: "Do the work of batch, learn and others on this machine",
		Long: `Join a NATS server, take tasks of nervure batch, reproduce, compare or learn that
were started with --cluster, and send the results back. Start as many workers as
you like, on as many machines, before or after the command that has the work.
They end by themselves when there was nothing to do for some time (--idle).

Results do not depend on the workers. One that is killed is noticed within half
a minute, and its tasks go to others. All must be the same program, on the same
kind of processor: a worker that would round differently is refused.

On another machine than the server's, a token and TLS are required.`,
		Example: `  nervure worker --cluster nats://127.0.0.1:4222
  nervure worker --cluster tls://head.example.org:4222 --token-file token.txt \
    --tls-ca ca.pem --threads 8 --idle 1m`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.work(cmd.Context(), c) },
	}
	f.cluster.define(cmd, "join the NATS server at `URL`, or one of several with commas between them")
	addFlags(cmd, "Work", func(s *pflag.FlagSet) {
		s.Var(&f.threads, "threads", "number of tasks at a time, 0 for as many as there are cores (default 0)")
		s.Var(&f.idle, "idle", "end after TIME without a task, 0 for never (default 10m)")
	})
	return cmd
}

func (f *workerFlags) work(ctx context.Context, c console) error {
	if f.cluster.url == "" {
		return misuse("--cluster URL is missing: where the work is")
	}
	if strings.HasPrefix(f.cluster.url, cluster.ListenPrefix) {
		return misuse("--cluster %s: a worker joins a server and does not start one", f.cluster.url)
	}
	link, err := f.cluster.link(c)
	if err != nil {
		return err
	}
	threads, restore := useThreads(f.threads.value)
	defer restore()
	idle := defaultIdle
	if f.idle.given {
		idle = f.idle.value
	}
	kinds, done := counted(workKinds())
	err = cluster.Work(ctx, cluster.WorkerOptions{Link: link, Kinds: kinds, Threads: threads, Idle: idle})
	switch {
	case err != nil && ctx.Err() != nil:
		return &interruption{fmt.Sprintf("%s done; what was begun goes to other workers", plural(int(done.Load()), "task"))}
	case err != nil:
		return fmt.Errorf("--cluster: %w", err)
	}
	fmt.Fprintf(c.err, "%s done, and no more for %s\n", plural(int(done.Load()), "task"), inWords(idle.Seconds()))
	return nil
}

// counted counts the tasks that were done.
func counted(kinds task.Kinds) (task.Kinds, *atomic.Int64) {
	var done atomic.Int64
	all := task.Kinds{}
	for name, do := range kinds {
		all[name] = func(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
			value, err := do(ctx, args, data)
			if ctx.Err() == nil {
				done.Add(1)
			}
			return value, err
		}
	}
	return all, &done
}
