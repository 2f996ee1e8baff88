package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// columns is the width that everything printed for people keeps to.
const columns = 80

// help prints what a command does, how to call it, examples and flags. The
// commands of the root come in the order given.
func help(w io.Writer, cmd *cobra.Command, commands []*cobra.Command) {
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n", about(cmd), usageLine(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range commands {
			fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, group := range flagGroups(cmd.LocalFlags()) {
		fmt.Fprintf(w, "\n%s:\n%s", group.title, group.flags.FlagUsagesWrapped(columns))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nRun '%s COMMAND --help' for more information about a command.\n", cmd.CommandPath())
	}
}

func usageLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, rest, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + rest
	}
	return line
}

// A flag's group is the heading it stands under in the help.
const groupKey = "group"

type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// flagGroups sorts flags under their headings, in the order of their definition.
func flagGroups(flags *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if g := f.Annotations[groupKey]; len(g) > 0 {
			title = g[0]
		}
		for _, g := range groups {
			if g.title == title {
				g.flags.AddFlag(f)
				return
			}
		}
		set := pflag.NewFlagSet(title, pflag.ContinueOnError)
		set.SortFlags = false
		set.AddFlag(f)
		groups = append(groups, flagGroup{title, set})
	})
	return groups
}

// addFlags defines flags on a command, under a heading.
func addFlags(cmd *cobra.Command, title string, define func(*pflag.FlagSet)) {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	define(set)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[groupKey] = []string{title}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(set)
}
