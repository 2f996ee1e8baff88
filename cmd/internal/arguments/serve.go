package arguments

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Serve are the flags of serve.
type Serve struct {
	Host      string
	Port      int // set if it was asked for
	Open      bool
	MaxUpload int64
	MaxMemory int64
	MaxTime   time.Duration
	Jobs      int
	JobsDir   string

	Export   string
	Wasm     string
	WasmExec string

	set *pflag.FlagSet
}

// Define adds the flags to a command.
func (f *Serve) Define(cmd *cobra.Command) {
	f.set = cmd.Flags()
	addFlags(cmd, "Address", func(s *pflag.FlagSet) {
		s.StringVar(&f.Host, "host", "127.0.0.1", "listen on address `ADDR` of this machine; 0.0.0.0 for all")
		s.Var(&boundCount{&f.Port, 0, 65535}, "port", "listen on port N, 0 for any (default 8737, or the next free port)")
		s.BoolVar(&f.Open, "open", false, "open the page in the browser")
	})
	addFlags(cmd, "Limits", func(s *pflag.FlagSet) {
		s.Var(boundSize(&f.MaxUpload), "max-upload", "maximum size of an uploaded file (default 256MB)")
		s.Var(boundSize(&f.MaxMemory), "max-memory", "maximum memory per job (default 4GB, or half of the memory that machine, control group, address space limit and GOMEMLIMIT allow)")
		s.DurationVar(&f.MaxTime, "max-time", time.Hour, "stop a job after `TIME` and keep its best graph")
		s.Var(&boundCount{&f.Jobs, 1, 64}, "jobs", "run up to N jobs at a time (default 1)")
		s.StringVar(&f.JobsDir, "jobs-dir", "", "keep jobs in directory `DIR`, so that they survive a restart of the server")
	})
	addFlags(cmd, "Static site", func(s *pflag.FlagSet) {
		s.StringVar(&f.Export, "export", "", "write the page as a static site to `DIR`; learning runs in the browser")
		s.StringVar(&f.Wasm, "wasm", "", "use the WebAssembly build `FILE` instead of building one")
		s.StringVar(&f.WasmExec, "wasm-exec", "", "wasm_exec.js `FILE` of the Go version that built it")
	})
}

// Check finds the faults in the flags.
func (f *Serve) Check() error {
	for _, name := range []string{"wasm", "wasm-exec"} {
		if f.Export == "" && f.set.Changed(name) {
			return Misuse("--%s applies only to --export", name)
		}
	}
	switch {
	case f.Export == "" && f.MaxTime <= 0:
		return Misuse("--max-time: want a positive duration, such as 30m")
	case f.Export == "" && f.Host == "": // would be every address
		return Misuse("--host is empty: give an address of this machine, or 0.0.0.0 for all addresses")
	case f.Export != "" && (f.Wasm == "") != (f.WasmExec == ""):
		return Misuse("--wasm and --wasm-exec must be used together")
	}
	return nil
}

// ChoosesPort reports whether any free port will do.
func (f *Serve) ChoosesPort() bool { return !f.set.Changed("port") }
