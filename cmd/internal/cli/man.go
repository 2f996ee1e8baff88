package cli

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/durable"
)

func newMan(c console) *cobra.Command {
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
				return misuse("too many arguments: want only a directory, also got %q", args[1])
			}
			return nil
		},
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return writeMan(c.out, cmd.Root(), manPages(cmd.Root()))
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
		err := dataio.WriteFile(filepath.Join(dir, manName(cmd)+".1"), func(w io.Writer) error { return writeMan(w, cmd, pages) })
		if err != nil {
			return err
		}
	}
	return nil
}

// manName is the name of a command's page: nervure-learn.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writeMan writes the page of a command in the man macros. It has no date, so that
// the same program writes the same bytes.
func writeMan(to io.Writer, cmd *cobra.Command, pages []*cobra.Command) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, ".TH %s 1 \"\" \"nervure %s\" \"Nervure\"\n", roffWord(strings.ToUpper(manName(cmd))), roff(nervure.Version()))
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff(usageLine(cmd)))
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	for k, part := range helpParts(about(cmd)) {
		if part.items == nil && k > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		if part.items == nil {
			fmt.Fprintln(w, roff(part.text))
		}
		for _, item := range part.items {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(item.term), roff(item.text))
		}
	}
	manOptions(w, cmd)
	if cmd.Example != "" {
		fmt.Fprint(w, ".SH EXAMPLES\n.nf\n")
		for line := range strings.Lines(cmd.Example) {
			fmt.Fprintln(w, roff(strings.TrimPrefix(strings.TrimRight(line, "\n"), "  ")))
		}
		fmt.Fprint(w, ".fi\n")
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, code := range exitMeanings {
		fmt.Fprintf(w, ".TP\n.B %d\n%s\n", code.code, roff(code.meaning))
	}
	manOthers(w, cmd, pages)
	return w.Flush()
}

// manOptions writes the commands of the root, or the flags by their headings.
func manOptions(w io.Writer, cmd *cobra.Command) {
	for _, group := range flagGroups(cmd.LocalFlags()) {
		var flags strings.Builder
		for _, f := range visible(group.flags) {
			spelling, meaning := flagLine(f)
			fmt.Fprintf(&flags, ".TP\n.B %s\n%s\n", roff(spelling), roff(meaning))
		}
		if flags.Len() > 0 {
			fmt.Fprintf(w, ".SH %s\n%s", roffWord(strings.ToUpper(group.title)), flags.String())
		}
	}
}

// manOthers lists the other pages: on that of the root what their commands do.
func manOthers(w io.Writer, cmd *cobra.Command, pages []*cobra.Command) {
	if !cmd.HasParent() {
		fmt.Fprint(w, ".SH COMMANDS\n")
		for _, sub := range pages[1:] {
			fmt.Fprintf(w, ".TP\n.BR %s (1)\n%s\n", roff(manName(sub)), roff(sub.Short))
		}
		return
	}
	fmt.Fprint(w, ".SH SEE ALSO\n")
	var others []string
	for _, sub := range pages {
		if sub != cmd {
			others = append(others, fmt.Sprintf(".BR %s (1)", roff(manName(sub))))
		}
	}
	fmt.Fprintln(w, strings.Join(others, ",\n"))
}

// roff is a text of one line as the macros take it: no character of it is an order.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "`", "\\(ga", `^`, `\(ha`, `~`, `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// roffWord is a text as one argument of a macro.
func roffWord(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
