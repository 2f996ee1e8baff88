package cli

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
)

func newRun(c console) *cobra.Command {
	f := &session{}
	cmd := &cobra.Command{
		Use:   "run JOB.json [flags]",
		Short: "Carry out a run that is described in a file",
		Long: `Carry out the run that JOB.json describes, or standard input if it is -: what is
read and how, preprocessing, the method and its parameters, what is known of the
graph, checks, and what is written. With the key compare it is a comparison. The
results, messages and exit codes are those of nervure learn, or compare, with
flags that say the same.

A file that --summary wrote describes its run at the key run, and so does a
comparison. Such a file can be given as it is: the run is repeated.

A key that is absent, null, zero or empty means the default; true and false stand
for yes and no. A key that is not known is an error. Paths are relative to the
directory in which the command is run, as those of flags are, wherever JOB.json
is; results go where its key write says. docs/reference.md lists the keys, and
docs/run.schema.json is a JSON Schema for editors.

Flags are for what does not affect the result.`,
		Example: `  nervure learn signals.csv --out graph.csv --summary summary.json
  nervure run summary.json`,
		Args: oneArgument("the file that describes the run (or - for standard input)"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c := c.reading(cmd)
			doc, err := await(cmd.Context(), func() (*document.Run, error) { return readJob(c, args[0]) })
			if err != nil {
				return err
			}
			return f.perform(cmd.Context(), c, doc, terms{args[0]})
		},
	}
	addFlags(cmd, "Running", func(s *pflag.FlagSet) {
		f.defineThreads(s, "the result")
		f.defineShowing(s, "round or method", "graphs")
	})
	f.defineLongRuns(cmd)
	return cmd
}

// readJob reads the description of a run.
func readJob(c console, path string) (*document.Run, error) {
	in, asked := c.in, terms{path}
	if path != "-" {
		file, err := durable.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = io.Reader(file)
	}
	run, err := document.ParseRun(in)
	if e := input.Find(err); e != nil {
		return nil, asked.misuse(e.Msg)
	}
	if err == nil && path == "-" && len(run.Read.Files) > 0 && run.Read.Files[0] == "-" {
		return nil, asked.misuse("`read.files`: standard input has the run, and cannot have the signals as well")
	}
	return run, err
}
