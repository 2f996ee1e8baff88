// Package cli is the command line of nervure as a function of arguments and
// streams. The work itself is done by the packages below.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
)

// Run carries out the command line args, without the program's name, and returns
// the exit code: 0 for success, 1 if the run failed, 2 for bad usage or input and
// 130 if ctx ended first. Whatever happens, errors are one sentence on stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	c := newConsole(stdin, stdout, stderr)
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(c.err, "nervure: internal error: %s; please report it at https://github.com/nervure/nervure/issues\n",
				oneLine(fmt.Errorf("%v", p)))
			code = exitFailed
		}
	}()
	root := newRoot(c)
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	cmd, err := root.ExecuteContextC(ctx)
	if e, ok := errors.AsType[*usageError](err); ok && e.command == "" {
		e.command = cmd.CommandPath()
	}
	if err == nil {
		err = c.out.err // which help, for one, has no way to return
	}
	complain(c.err, err)
	return exitCode(err)
}

func newRoot(c console) *cobra.Command {
	root := &cobra.Command{
		Use:   "nervure COMMAND",
		Short: "Learn the graph behind a set of signals",
		Long: `nervure learns the graph behind a set of signals: which vertices are connected,
and how strongly, from measurements alone.`,
		Example: `  nervure demo
  nervure learn signals.csv --out graph.graphml
  nervure generate --graph er --vertices 20 --out sample`,
		Version:           nervure.Version(),
		Args:              knownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true}, // newCompletion is ours
	}
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("nervure {{.Version}}\n")
	commands := slices.Concat(
		[]*cobra.Command{newDemo(c), newLearn(c), newRun(c)}, serveCommands(c),
		[]*cobra.Command{newKernels(c), newEvaluate(c), newCompare(c), newPlot(c), newFilter(c), newFill(c), newEncode(c), newCombine(c), newConvert(c), newGenerate(c), newBatch(c)}, workerCommands(c),
		[]*cobra.Command{newReproduce(c), newCompletion(c), newMan(c), newVersion(c), newHelp()},
	)
	for _, cmd := range commands {
		completeChoices(cmd)
	}
	root.AddCommand(slices.Clone(commands)...) // cobra sorts those it has
	root.SetHelpCommand(commands[len(commands)-1])
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { help(c.out, cmd, commands) })
	return root
}

// knownCommand refuses what is left over when no command was recognised.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return misuse("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return misuse("unknown command %q", args[0])
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil && about.HasParent() && len(rest) > 0 {
				return misuse("too many arguments: want only a command, also got %q", rest[0])
			}
			if err != nil || len(rest) > 0 {
				return knownCommand(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}
