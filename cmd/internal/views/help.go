package views

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/cmd/internal/arguments"
)

// Columns is the width that everything printed for people keeps to.
const Columns = 80

// Help prints what a command does, how to call it, examples and flags. The
// commands of the root come in the order given.
func Help(w io.Writer, cmd *cobra.Command, commands []*cobra.Command) {
	fmt.Fprintf(w, "%s\n\n%s\n  %s\n", About(cmd), heading(w, "Usage"), UsageLine(cmd))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s\n", heading(w, "Commands"))
		for _, sub := range commands {
			fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\n%s\n%s\n", heading(w, "Examples"), cmd.Example)
	}
	for _, group := range FlagGroups(cmd.LocalFlags()) {
		fmt.Fprintf(w, "\n%s\n%s", heading(w, group.Title), group.Flags.FlagUsagesWrapped(Columns))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nRun '%s COMMAND -h' for the usual flags of a command, --help for all.\n", cmd.CommandPath())
	}
}

// briefLines is how long a help may be that is not asked for in full.
const briefLines = 25

// BriefHelp prints what fits a screen: what a command does, an example and the flags that most people
// use, a line for each. A help that fits as it is stays whole.
func BriefHelp(w io.Writer, cmd *cobra.Command, commands []*cobra.Command) {
	var whole strings.Builder
	Help(&whole, cmd, commands)
	if strings.Count(whole.String(), "\n") <= briefLines || cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, whole.String())
		return
	}
	fmt.Fprintf(w, "%s.\n\n%s\n  %s\n", cmd.Short, heading(w, "Usage"), UsageLine(cmd))
	if example := firstExample(cmd.Example); example != "" {
		fmt.Fprintf(w, "\n%s\n%s\n", heading(w, "Example"), example)
	}
	all, title := Visible(cmd.LocalFlags()), "Flags"
	list := arguments.UsualFlags(cmd)
	if list != nil {
		title = "Usual flags"
	} else {
		for _, f := range all {
			list = append(list, arguments.Usual{Name: f.Name})
		}
	}
	spelled := make([]string, len(list))
	width := 0
	for k, u := range list {
		spelled[k] = flagSpelling(cmd.LocalFlags().Lookup(u.Name))
		width = max(width, utf8.RuneCountInString(spelled[k]))
	}
	fmt.Fprintf(w, "\n%s\n", heading(w, title))
	for k, u := range list {
		fmt.Fprintf(w, "  %-*s  %s\n", width, spelled[k], cmp.Or(u.Short, inShort(cmd.LocalFlags().Lookup(u.Name))))
	}
	fmt.Fprintf(w, "\nRun '%s --help' for all %d flags, in full.\n", cmd.CommandPath(), len(all))
}

// firstExample is the first of several, which may take more than a line.
func firstExample(examples string) string {
	var first []string
	for line := range strings.Lines(examples) {
		line = strings.TrimRight(line, "\n")
		first = append(first, line)
		if !strings.HasSuffix(line, "\\") {
			break
		}
	}
	return strings.Join(first, "\n")
}

// flagSpelling is how to write a flag, without what it takes if nothing is said.
func flagSpelling(f *pflag.Flag) string {
	kind, _ := pflag.UnquoteUsage(f)
	return strings.TrimSpace("--" + f.Name + " " + kind)
}

// inShort is what a flag does, without all that its help says of it.
func inShort(f *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(f)
	return briefEnd.Split(usage, 2)[0]
}

// briefEnd is where a line about a flag may end.
var briefEnd = regexp.MustCompile(`[;:] | \(`)

// UsageLine is how to call a command.
func UsageLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, rest, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + rest
	}
	return line
}

type flagGroup struct {
	Title string
	Flags *pflag.FlagSet
}

// FlagGroups sorts flags under their headings, in the order of their definition.
func FlagGroups(flags *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if g := f.Annotations[arguments.GroupKey]; len(g) > 0 {
			title = g[0]
		}
		for _, g := range groups {
			if g.Title == title {
				g.Flags.AddFlag(f)
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

// A helpPart is a paragraph of a help text or, if it has any, a list of items. The
// man pages and the manual set both in their own way.
type helpPart struct {
	Text  string
	Items []helpItem
}

type helpItem struct{ Term, Text string }

var (
	tableRow  = regexp.MustCompile(`^  (\S+)  +(\S.*)$`)      // "  er   Erdős–Rényi", below any line
	listEntry = regexp.MustCompile(`^([a-z0-9][^:]*): (.+)$`) // "knn k: nearest neighbours", below a line that ends with a colon
)

// HelpParts takes a help text apart.
func HelpParts(about string) []helpPart {
	var parts []helpPart
	for paragraph := range strings.SplitSeq(about, "\n\n") {
		parts = append(parts, paragraphParts(strings.Split(paragraph, "\n"))...)
	}
	return parts
}

func paragraphParts(lines []string) []helpPart {
	var parts []helpPart
	last := func() *helpPart { return &parts[len(parts)-1] }
	isList := strings.HasSuffix(lines[0], ":")
	for k, line := range lines {
		item := tableRow.FindStringSubmatch(line)
		if item == nil && isList && k > 0 {
			item = listEntry.FindStringSubmatch(line)
		}
		inList := len(parts) > 0 && last().Items != nil
		rest, indented := strings.CutPrefix(line, "  ")
		switch {
		case item != nil && inList:
			last().Items = append(last().Items, helpItem{item[1], item[2]})
		case item != nil:
			parts = append(parts, helpPart{Items: []helpItem{{item[1], item[2]}}})
		case inList && indented:
			of := &last().Items[len(last().Items)-1]
			of.Text += " " + strings.TrimSpace(rest)
		case len(parts) > 0 && !inList:
			last().Text += " " + line
		default:
			parts = append(parts, helpPart{Text: line})
		}
	}
	return parts
}

// About is what a command's help begins with.
func About(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return cmd.Long
}

// FlagLine is a flag as the help shows it: how to write it, and what it does.
func FlagLine(f *pflag.Flag) (spelling, meaning string) {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.AddFlag(f)
	spelling, meaning, _ = strings.Cut(strings.TrimSpace(set.FlagUsages()), "   ")
	return spelling, strings.Join(strings.Fields(meaning), " ")
}

// Visible are the flags to write about: not help's own, which every command has.
func Visible(flags *pflag.FlagSet) []*pflag.Flag {
	var list []*pflag.Flag
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			list = append(list, f)
		}
	})
	return list
}
