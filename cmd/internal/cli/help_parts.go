package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A helpPart is a paragraph of a help text or, if it has any, a list of items. The
// man pages and the manual set both in their own way.
type helpPart struct {
	text  string
	items []helpItem
}

type helpItem struct{ term, text string }

var (
	tableRow  = regexp.MustCompile(`^  (\S+)  +(\S.*)$`)      // "  er   Erdős–Rényi", below any line
	listEntry = regexp.MustCompile(`^([a-z0-9][^:]*): (.+)$`) // "knn k: nearest neighbours", below a line that ends with a colon
)

// helpParts takes a help text apart.
func helpParts(about string) []helpPart {
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
		inList := len(parts) > 0 && last().items != nil
		rest, indented := strings.CutPrefix(line, "  ")
		switch {
		case item != nil && inList:
			last().items = append(last().items, helpItem{item[1], item[2]})
		case item != nil:
			parts = append(parts, helpPart{items: []helpItem{{item[1], item[2]}}})
		case inList && indented:
			of := &last().items[len(last().items)-1]
			of.text += " " + strings.TrimSpace(rest)
		case len(parts) > 0 && !inList:
			last().text += " " + line
		default:
			parts = append(parts, helpPart{text: line})
		}
	}
	return parts
}

// about is what a command's help begins with.
func about(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return cmd.Long
}

// flagLine is a flag as the help shows it: how to write it, and what it does.
func flagLine(f *pflag.Flag) (spelling, meaning string) {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.AddFlag(f)
	spelling, meaning, _ = strings.Cut(strings.TrimSpace(set.FlagUsages()), "   ")
	return spelling, strings.Join(strings.Fields(meaning), " ")
}

// visible are the flags to write about: not help's own, which every command has.
func visible(flags *pflag.FlagSet) []*pflag.Flag {
	var list []*pflag.Flag
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			list = append(list, f)
		}
	})
	return list
}
