//go:build !js

package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/viewer"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/words"
)

// defaultPort is where the page is served, or at one of the ports after it.
const defaultPort = 8737

// serveCommands are the commands that need a machine: a browser has none.
func serveCommands(c views.Console) []*cobra.Command { return []*cobra.Command{newServe(c)} }

func newServe(c views.Console) *cobra.Command {
	f := &arguments.Serve{}
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve a web page for learning graphs",
		Long: `Serve a web page on this machine. On the page you can drop a file, watch the
graph form, stop the run, compare methods, save the graph and the report, see
the equivalent command line, and open existing graphs. Open the address that is
printed. Press Ctrl-C to stop the server; the exit code is 0.

By default the page can be reached only from this machine, and only with the
printed address, which contains a token that changes with each start. With
--host, other machines can reach the page. They need the address as well, and
traffic is not encrypted, so use --host only on networks you trust. --open keeps
the token out of the list of processes, which all users of a machine can read:
the browser is given a temporary file that only you can read. If the browser
cannot read it, for example in a sandbox, open the printed address.

By default jobs run one at a time. Each runs in its own process with limits on
time and memory. Uploaded files and results are deleted when the server stops.
Before that, if there is no room for a new job, the oldest jobs that have not
been used for a minute are deleted; if there are none, the new job is refused. A
job is stopped ten seconds after its page is closed. The browser keeps the
results of the latest 20 runs, up to 60 MB, until you delete them on the page.

With --jobs-dir, files and results are kept in a directory instead, and so is
the address. If the server stops or dies, unfinished jobs continue when it is
started again with the same directory: learning from where it was last saved
(see nervure learn --checkpoint), comparisons from the beginning. A page
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
		Args: arguments.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.Check(); err != nil {
				return err
			}
			if f.Export != "" {
				return exportSite(cmd.Context(), c, f)
			}
			return serve(cmd.Context(), c, f)
		},
	}
	f.Define(cmd)
	return cmd
}

func serve(ctx context.Context, c views.Console, f *arguments.Serve) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the nervure executable was not found: %w", err)
	}
	listener, err := listen(ctx, f)
	if err != nil {
		return err
	}
	limits := viewer.Limits{Upload: f.MaxUpload, Memory: f.MaxMemory, Time: f.MaxTime, Running: f.Jobs}
	var server *viewer.Server
	if f.JobsDir == "" {
		server, err = viewer.NewServer(program, pageConfig(), limits, listener.Addr())
	} else if server, err = viewer.NewKeepingServer(program, pageConfig(), limits, listener.Addr(), f.JobsDir); err != nil {
		err = arguments.Misuse("--jobs-dir %s: %s", f.JobsDir, words.OneLine(err))
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(c.Err, "open %s\npress Ctrl-C to stop\n", server.URL())
	if f.Open {
		if err := openBrowser(ctx, server); err != nil {
			fmt.Fprintf(c.Err, "warning: no browser could be opened: %s\n", words.OneLine(err))
		}
	}
	return server.Serve(ctx, listener)
}

// listen opens the port that was asked for, or the first that is free.
func listen(ctx context.Context, f *arguments.Serve) (net.Listener, error) {
	var config net.ListenConfig
	port, tries := defaultPort, 20
	if !f.ChoosesPort() {
		port, tries = f.Port, 1
	}
	for {
		l, err := config.Listen(ctx, "tcp", net.JoinHostPort(f.Host, strconv.Itoa(port)))
		if err == nil {
			return l, nil
		}
		taken := errors.Is(err, syscall.EADDRINUSE)
		if taken && !f.ChoosesPort() {
			return nil, arguments.Misuse("--port %d is in use: choose another port, or omit --port to use a free one", port)
		}
		if tries--; tries == 0 || !taken {
			return nil, arguments.Misuse("cannot listen on --host %s, port %d: %s", f.Host, port, arguments.Reason(errors.Unwrap(err)))
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

// pageConfig is what the page has to know.
func pageConfig() viewer.Config {
	c := viewer.Config{Version: nervure.Version()}
	for _, name := range examples.Names() {
		c.Samples = append(c.Samples, viewer.Sample{Name: inputs.SamplePrefix + name, About: examples.About(name)})
	}
	for _, m := range arguments.LearnMethods() {
		method := viewer.Method{Name: m.Name(), About: m.About, Params: []viewer.Param{}}
		for _, p := range m.Params() {
			method.Params = append(method.Params, viewer.Param{Name: p.Name, Meaning: p.About})
		}
		c.Methods = append(c.Methods, method)
	}
	return c
}

// exportSite writes the page as static files. If it cannot, no empty directory is
// left behind.
func exportSite(ctx context.Context, c views.Console, f *arguments.Serve) (err error) {
	if _, missing := os.Stat(f.Export); missing != nil {
		defer func() {
			if err != nil {
				_ = durable.Remove(f.Export) // which does nothing to one with files in it
			}
		}()
	}
	if err := durable.MakeDirectory(f.Export); err != nil {
		return err
	}
	if err := checkWritable(filepath.Join(f.Export, "index.html")); err != nil {
		return err
	}
	program, err := browserProgram(ctx, c, f)
	if ctx.Err() != nil {
		return views.Interrupted("nothing was written")
	}
	if err != nil {
		return err
	}
	if err := viewer.Export(f.Export, pageConfig(), program); err != nil {
		return err
	}
	fmt.Fprintf(c.Err, "wrote %s: any static file host can serve it\n", f.Export)
	return nil
}

// browserProgram builds nervure for the browser, or reads the one that was given.
func browserProgram(ctx context.Context, c views.Console, f *arguments.Serve) (viewer.Program, error) {
	if f.Wasm == "" {
		fmt.Fprintln(c.Err, "building nervure for the browser …")
		return viewer.Build(ctx, build.Read().Released)
	}
	wasm, err := readGiven("--wasm", f.Wasm)
	if err != nil {
		return viewer.Program{}, err
	}
	if !strings.HasPrefix(string(wasm[:min(len(wasm), 4)]), "\x00asm") {
		return viewer.Program{}, &input.Error{File: f.Wasm, Msg: "this is not a WebAssembly file: build it with GOOS=js GOARCH=wasm"}
	}
	exec, err := readGiven("--wasm-exec", f.WasmExec)
	return viewer.Program{Wasm: wasm, Exec: exec}, err
}

func readGiven(flag, path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, arguments.Misuse("%s %s: there is no such file", flag, path)
	}
	return b, err
}
