// Command docs is the program behind the manual: it writes what the README and
// docs show of committed results, runs their code blocks, measures results again and
// builds the static site. It runs in the root directory of the repository.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/docs/internal/codeblock"
	"github.com/nervure/nervure/cmd/docs/internal/pages"
	"github.com/nervure/nervure/cmd/docs/internal/site"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(".", os.Stdout).ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// command is the program for the repository at root.
func command(root string, out io.Writer) *cobra.Command {
	docs := leaf("docs", "Generate, run and measure what the manual shows", (*cobra.Command).Help)
	docs.SilenceUsage, docs.SilenceErrors = true, true
	docs.SetOut(out)
	docs.CompletionOptions.DisableDefaultCmd = true
	docs.AddCommand(pagesCommand(root), runCommand(root), measureCommand(root), siteCommand(root))
	return docs
}

// leaf is a command that takes no arguments.
func leaf(use, short string, run func(*cobra.Command) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd) }}
}

func pagesCommand(root string) *cobra.Command {
	return leaf("pages", "Write the tables and figures of README.md and docs from docs/results", func(cmd *cobra.Command) error {
		files, err := pages.Generate(cmd.Context(), root)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := f.Write(root); err != nil {
				return err
			}
		}
		fmt.Fprintln(cmd.OutOrStdout(), len(files), "generated files written")
		return nil
	})
}

func runCommand(root string) *cobra.Command {
	runner := codeblock.Runner{Root: root}
	run := &cobra.Command{
		Use:   "run [PAGE…]",
		Short: "Run the code blocks of README.md and docs/*.md, or of some pages, as written",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				var err error
				if paths, err = codeblock.Pages(root); err != nil {
					return err
				}
			}
			runner.Log = cmd.OutOrStdout()
			return runner.Run(cmd.Context(), paths)
		},
	}
	run.Flags().BoolVar(&runner.Update, "update", false, "write what blocks marked console checked print")
	return run
}

func siteCommand(root string) *cobra.Command {
	var to string
	build := leaf("site", "Build the manual as a static site", func(cmd *cobra.Command) error {
		manual, err := site.Read(filepath.Join(root, "docs"))
		if err != nil {
			return err
		}
		if err := manual.Write(to); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%d pages in %s: open %s/index.html\n", manual.Pages(), to, to)
		return nil
	})
	build.Flags().StringVar(&to, "out", "bin/site", "directory to write the site to")
	return build
}
