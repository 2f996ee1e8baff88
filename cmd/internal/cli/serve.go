//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/cmd/internal/viewer"
)

// defaultPort is where the page is served, or at one of the ports after it.
const defaultPort = 8737

// serveFlags are the flags of serve as they were typed.
type serveFlags struct {
	host      string
	port      count
	open      bool
	maxUpload size
	maxMemory size
	maxTime   time.Duration
	jobs      count
	jobsDir   string

	export   string
	wasm     string
	wasmExec string
}

// serveCommands are the commands that need a machine: a browser has none.
func serveCommands(c console) []*cobra.Command { return []*cobra.Command{newServe(c)} }

func newServe(c console) *cobra.Command {
	f := &serveFlags{port: count{least: 0, most: 65535}, jobs: count{least: 1, most: 64}}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve a web page for learning graphs",
		Long: `Serve a web page on this machine. On the page you can drop a file, watch the
graph form, stop the run, compare methods, save the graph and the report, and
see the equivalent command line. Open the address that is printed. Press Ctrl-C
to stop the server; the exit code is 0.

By default the page can be reached only from this machine, and only with the
printed address, which contains a token that changes with each start. With
--host, other machines can reach the page. They need the address as well, and
traffic is not encrypted, so use --host only on networks you trust. --open keeps
the token out of the list of processes, which all users of a machine can read:
the browser is given a temporary file that only you can read. If it may not
read that, as some that run in a sandbox, open the printed address.

By default jobs run one at a time. Each runs in its own process with limits on
time and memory. Uploaded files and results are deleted when the server stops.
Before that, if there is no room for a new job, the oldest ones go that have not
been used for a minute; if there are none, the new job is refused. A job is
stopped ten seconds after its page was closed. The browser keeps the results of
the latest 20 runs, up to 60 MB, until you have the page forget them.

With --jobs-dir, files and results are kept in a directory instead, and so is
the address. If the server stops or dies, jobs that had not finished go on when
it is started again with the same directory: learning from where it was saved
last (see nervure learn --checkpoint), comparisons from their beginning. A page
that is still open follows its job if that takes less than 15 seconds. Whoever
can read the directory can read the data and use the page.

With --export nothing is served. Instead, the page is written to a directory
together with nervure itself, compiled to WebAssembly, and learning runs in the
browser. Any host for static files can serve it, and the data do not leave the
browser. The export needs Go, or --wasm and --wasm-exec.`,
		Example: `  nervure serve
  nervure serve --open
  nervure serve --port 9000 --jobs 2 --max-upload 1GB
  nervure serve --export site`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.export != "" {
				return f.exportSite(cmd.Context(), c)
			}
			for _, name := range []string{"wasm", "wasm-exec"} {
				if cmd.Flags().Changed(name) {
					return misuse("--%s applies only to --export", name)
				}
			}
			return f.serve(cmd.Context(), c)
		},
	}
	addFlags(cmd, "Address", func(s *pflag.FlagSet) {
		s.StringVar(&f.host, "host", "127.0.0.1", "listen on address `ADDR` of this machine; 0.0.0.0 for all")
		s.Var(&f.port, "port", "listen on port N, 0 for any (default 8737, or the next free port)")
		s.BoolVar(&f.open, "open", false, "open the page in the browser")
	})
	addFlags(cmd, "Limits", func(s *pflag.FlagSet) {
		s.Var(&f.maxUpload, "max-upload", "maximum size of an uploaded file (default 256MB)")
		s.Var(&f.maxMemory, "max-memory", "maximum memory per job (default 4GB, or half of the memory that machine, control group, address space limit and GOMEMLIMIT allow)")
		s.DurationVar(&f.maxTime, "max-time", time.Hour, "stop a job after `TIME` and keep its best graph")
		s.Var(&f.jobs, "jobs", "run up to N jobs at a time (default 1)")
		s.StringVar(&f.jobsDir, "jobs-dir", "", "keep jobs in directory `DIR`, so that they survive a restart of the server")
	})
	addFlags(cmd, "Static site", func(s *pflag.FlagSet) {
		s.StringVar(&f.export, "export", "", "write the page as a static site to `DIR`; learning runs in the browser")
		s.StringVar(&f.wasm, "wasm", "", "use the WebAssembly build `FILE` instead of building one")
		s.StringVar(&f.wasmExec, "wasm-exec", "", "wasm_exec.js `FILE` of the Go version that built it")
	})
	return cmd
}

func (f *serveFlags) serve(ctx context.Context, c console) error {
	if f.maxTime <= 0 {
		return misuse("--max-time: want a positive duration, such as 30m")
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the nervure executable was not found: %w", err)
	}
	listener, err := f.listen(ctx)
	if err != nil {
		return err
	}
	limits := viewer.Limits{Upload: f.maxUpload.bytes, Memory: f.maxMemory.bytes, Time: f.maxTime, Running: f.jobs.value}
	var server *viewer.Server
	if f.jobsDir == "" {
		server, err = viewer.NewServer(program, pageConfig(), limits, listener.Addr())
	} else if server, err = viewer.NewKeepingServer(program, pageConfig(), limits, listener.Addr(), f.jobsDir); err != nil {
		err = misuse("--jobs-dir %s: %s", f.jobsDir, oneLine(err))
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(c.err, "open %s\npress Ctrl-C to stop\n", server.URL())
	if f.open {
		if err := openBrowser(ctx, server); err != nil {
			fmt.Fprintf(c.err, "warning: no browser could be opened: %s\n", oneLine(err))
		}
	}
	return server.Serve(ctx, listener)
}

// listen opens the port that was asked for, or the first that is free.
func (f *serveFlags) listen(ctx context.Context) (net.Listener, error) {
	if f.host == "" { // would be every address
		return nil, misuse("--host is empty: give an address of this machine, or 0.0.0.0 for all addresses")
	}
	var config net.ListenConfig
	port, tries := defaultPort, 20
	if f.port.given {
		port, tries = f.port.value, 1
	}
	for {
		l, err := config.Listen(ctx, "tcp", net.JoinHostPort(f.host, strconv.Itoa(port)))
		if err == nil {
			return l, nil
		}
		taken := errors.Is(err, syscall.EADDRINUSE)
		if taken && f.port.given {
			return nil, misuse("--port %d is in use: choose another port, or omit --port to use a free one", port)
		}
		if tries--; tries == 0 || !taken {
			return nil, misuse("cannot listen on --host %s, port %d: %s", f.host, port, reason(errors.Unwrap(err)))
		}
		port++
	}
}

// openBrowser shows the page as this system does. The program for it gets the name of a
// file, not the address: what programs are started with is for all users to see.
func openBrowser(ctx context.Context, server *viewer.Server) error {
	file, err := server.Door()
	if err != nil {
		return err
	}
	name, args := "xdg-open", []string{file}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", file}
	}
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...).Start()
}
