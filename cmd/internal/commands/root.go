// Package commands is the command line of nervure as a function of arguments and
// streams: what each command does. Package arguments says what was asked for, package
// views what is shown, and the work itself is done by the packages below.
package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/words"
)

// Run carries out the command line args, without the program's name, and returns
// the exit code: 0 for success, 1 if the run failed, 2 for bad usage or input, 70 for a fault of the program and
// 130 if ctx ended first. Whatever happens, errors are one sentence on stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	c := views.NewConsole(stdout, stderr)
	c.Case.Command = args
	err := c.Case.Told(guard.Run("", func() error { return execute(ctx, c, args, stdin) }))
	views.Complain(c.Err, err)
	return views.ExitCode(err)
}

func execute(ctx context.Context, c views.Console, args []string, stdin io.Reader) error {
	root := newRoot(c, stdin)
	root.SetArgs(append([]string{}, arguments.JoinWords(root, args)...)) // nil would mean os.Args
	cmd, err := root.ExecuteContextC(ctx)
	if e, ok := errors.AsType[*arguments.UsageError](err); ok && e.Command == "" {
		e.Command = cmd.CommandPath()
	}
	if err == nil {
		err = c.Out.Err // which help, for one, has no way to return
	}
	return err
}

func newRoot(c views.Console, stdin io.Reader) *cobra.Command {
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
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(arguments.FlagError)
	root.SetVersionTemplate("nervure {{.Version}}\n")
	commands := slices.Concat(
		[]*cobra.Command{newDemo(c), newLearn(c, stdin), newRun(c, stdin)}, serveCommands(c),
		[]*cobra.Command{newKernels(c, stdin), newEvaluate(c, stdin), newCompare(c, stdin), newPlan(c, stdin), newPlot(c, stdin), newFilter(c, stdin), newFill(c, stdin), newEncode(c, stdin), newCombine(c, stdin), newConvert(c), newGenerate(c), newBatch(c, stdin)}, workerCommands(c),
		[]*cobra.Command{newReproduce(c), newCompletion(c), newMan(c), newVersion(c), newHelp()},
	)
	for _, cmd := range commands {
		arguments.CompleteChoices(cmd)
	}
	root.AddCommand(slices.Clone(commands)...) // cobra sorts those it has
	root.SetHelpCommand(commands[len(commands)-1])
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if slices.Contains(args, "-h") {
			views.BriefHelp(c.Out, cmd, commands)
			return
		}
		views.Help(c.Out, cmd, commands)
	})
	return root
}

// knownCommand refuses what is left over when no command was recognised.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return arguments.Misuse("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return arguments.Misuse("unknown command %q", args[0])
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil && about.HasParent() && len(rest) > 0 {
				return arguments.Misuse("too many arguments: want only a command, also got %q", rest[0])
			}
			if err != nil || len(rest) > 0 {
				return knownCommand(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}

func newCompletion(c views.Console) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a shell completion script",
		Long: `Print a completion script for a shell. It completes the commands of nervure,
their flags and flag values. SHELL is bash, zsh, fish or powershell.`,
		Example: `  source <(nervure completion bash)   # add to ~/.bashrc to make it permanent
  nervure completion zsh > "${fpath[1]}/_nervure"
  nervure completion fish | source`,
		ValidArgs: shells,
		Args:      arguments.OneArgument("the shell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(c.Out, true)
			case "zsh":
				return root.GenZshCompletion(c.Out)
			case "fish":
				return root.GenFishCompletion(c.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.Out)
			}
			return arguments.Misuse("%q: want %s", args[0], words.List(shells, "or"))
		},
	}
}

// commitWords says which commit this was built from, if that is known.
func commitWords(b build.Info) string {
	if b.Revision == "" {
		return ""
	}
	words := "commit " + b.Revision[:min(len(b.Revision), 12)]
	if b.Modified {
		words += ", modified"
	}
	return words + ", "
}

func newVersion(c views.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  arguments.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			b := build.Read()
			_, err := fmt.Fprintf(c.Out, "nervure %s (%s%s, %s/%s, %s kernels)\n", b.Version, commitWords(b), runtime.Version(), runtime.GOOS, runtime.GOARCH, linalg.Kernels())
			return err
		},
	}
}

func newMan(c views.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write the man pages",
		Long: `Write the man pages, one for nervure and one for each command, to a directory,
which is created if necessary. Without a directory, write the page of nervure
itself to standard output. The pages contain the same text as the help of each
command.`,
		Example: `  nervure man | man -l -
  nervure man ~/.local/share/man/man1   # then: man nervure-learn`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return arguments.Misuse("too many arguments: want only a directory, also got %q", args[1])
			}
			return nil
		},
		ValidArgsFunction: arguments.Directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return views.WriteMan(c.Out, cmd.Root(), manPages(cmd.Root()))
			}
			return writeManPages(args[0], manPages(cmd.Root()))
		},
	}
}

// manPages are the commands that have a page: the root, then those below it by name.
func manPages(root *cobra.Command) []*cobra.Command {
	pages := []*cobra.Command{root}
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			pages = append(pages, cmd)
		}
	}
	return pages
}

// writeManPages writes a page for each command into a directory.
func writeManPages(dir string, pages []*cobra.Command) error {
	if err := durable.MakeDirectory(dir); err != nil {
		return err
	}
	for _, cmd := range pages {
		err := dataio.WriteFile(filepath.Join(dir, views.ManName(cmd)+".1"), func(w io.Writer) error { return views.WriteMan(w, cmd, pages) })
		if err != nil {
			return err
		}
	}
	return nil
}
