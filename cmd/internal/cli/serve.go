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
		Short: "Show a page to learn graphs in",
		Long: `Serve a page on this machine: drop a file on it, watch the graph form, stop it,
compare methods, save graph and report, and see the command line that does the
same. Open the address that is printed. Ctrl-C ends it, with exit code 0.

Only this machine can reach the page, and of its users only who has the address:
it has a token that changes with each start. With --host others can reach it,
who need the address just as well; what they send is not encrypted on its way,
so keep to networks that you trust.

Jobs run one at a time, each as a process of its own with limits on its time and
memory. Uploaded files and results are deleted when the server ends, the oldest
before that. A job whose page has been closed for ten seconds is stopped.

With --export nothing is served: the page is written to a directory, with
nervure itself compiled to WebAssembly, and learns in the browser. It works from
any host of static files, and what people drop on it does not leave their
browser. Building it needs Go, or --wasm and --wasm-exec.`,
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
					return misuse("--%s is only for --export", name)
				}
			}
			return f.serve(cmd.Context(), c)
		},
	}
	addFlags(cmd, "Address", func(s *pflag.FlagSet) {
		s.StringVar(&f.host, "host", "127.0.0.1", "listen at the address `ADDR` of this machine; 0.0.0.0 for all")
		s.Var(&f.port, "port", "listen at port N, 0 for any (default 8737, or the next that is free)")
		s.BoolVar(&f.open, "open", false, "open the page in the browser")
	})
	addFlags(cmd, "Limits", func(s *pflag.FlagSet) {
		s.Var(&f.maxUpload, "max-upload", "largest file that may be uploaded (default 256MB)")
		s.Var(&f.maxMemory, "max-memory", "most memory a job may take (default 4GB, or half of the machine's)")
		s.DurationVar(&f.maxTime, "max-time", time.Hour, "stop a job after `TIME`, keeping its best graph")
		s.Var(&f.jobs, "jobs", "run so many jobs at a time (default 1)")
	})
	addFlags(cmd, "Static site", func(s *pflag.FlagSet) {
		s.StringVar(&f.export, "export", "", "write the page to `DIR` instead, to learn in the browser")
		s.StringVar(&f.wasm, "wasm", "", "nervure for the browser, `FILE`, instead of building it")
		s.StringVar(&f.wasmExec, "wasm-exec", "", "wasm_exec.js of the Go that built it, `FILE`")
	})
	return cmd
}

func (f *serveFlags) serve(ctx context.Context, c console) error {
	if f.maxTime <= 0 {
		return misuse("--max-time: want a time above zero, such as 30m")
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the program does not find itself: %w", err)
	}
	listener, err := f.listen(ctx)
	if err != nil {
		return err
	}
	server, err := viewer.NewServer(program, pageConfig(), viewer.Limits{
		Upload: f.maxUpload.bytes, Memory: f.maxMemory.bytes, Time: f.maxTime, Running: f.jobs.value,
	}, listener.Addr())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(c.err, "open %s\nCtrl-C ends it\n", server.URL())
	if f.open {
		if err := openBrowser(ctx, server.URL()); err != nil {
			fmt.Fprintf(c.err, "warning: no browser could be opened: %s\n", oneLine(err))
		}
	}
	return server.Serve(ctx, listener)
}

// listen opens the port that was asked for, or the first that is free.
func (f *serveFlags) listen(ctx context.Context) (net.Listener, error) {
	if f.host == "" { // would be every address
		return nil, misuse("--host is empty: give an address of this machine, or 0.0.0.0 for all")
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
			return nil, misuse("--port %d is in use: give another, or none for one that is free", port)
		}
		if tries--; tries == 0 || !taken {
			return nil, misuse("--host %s, port %d cannot be listened at: %s", f.host, port, reason(errors.Unwrap(err)))
		}
		port++
	}
}

// openBrowser shows an address as this system does.
func openBrowser(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return exec.CommandContext(context.WithoutCancel(ctx), name, args...).Start()
}
