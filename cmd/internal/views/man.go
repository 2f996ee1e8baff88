package views

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
)

// ManName is the name of a command's page: nervure-learn.
func ManName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// WriteMan writes the page of a command in the man macros. It has no date, so that
// the same program writes the same bytes.
func WriteMan(to io.Writer, cmd *cobra.Command, pages []*cobra.Command) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, ".TH %s 1 \"\" \"nervure %s\" \"Nervure\"\n", roffWord(strings.ToUpper(ManName(cmd))), Roff(nervure.Version()))
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", Roff(ManName(cmd)), Roff(cmd.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", Roff(UsageLine(cmd)))
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	for k, part := range HelpParts(About(cmd)) {
		if part.Items == nil && k > 0 {
			fmt.Fprint(w, ".PP\n")
		}
		if part.Items == nil {
			fmt.Fprintln(w, Roff(part.Text))
		}
		for _, item := range part.Items {
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", Roff(item.Term), Roff(item.Text))
		}
	}
	manOptions(w, cmd)
	if cmd.Example != "" {
		fmt.Fprint(w, ".SH EXAMPLES\n.nf\n")
		for line := range strings.Lines(cmd.Example) {
			fmt.Fprintln(w, Roff(strings.TrimPrefix(strings.TrimRight(line, "\n"), "  ")))
		}
		fmt.Fprint(w, ".fi\n")
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, code := range ExitMeanings {
		fmt.Fprintf(w, ".TP\n.B %d\n%s\n", code.Code, Roff(code.Meaning))
	}
	manOthers(w, cmd, pages)
	return w.Flush()
}

// manOptions writes the commands of the root, or the flags by their headings.
func manOptions(w io.Writer, cmd *cobra.Command) {
	for _, group := range FlagGroups(cmd.LocalFlags()) {
		var flags strings.Builder
		for _, f := range Visible(group.Flags) {
			spelling, meaning := FlagLine(f)
			fmt.Fprintf(&flags, ".TP\n.B %s\n%s\n", Roff(spelling), Roff(meaning))
		}
		if flags.Len() > 0 {
			fmt.Fprintf(w, ".SH %s\n%s", roffWord(strings.ToUpper(group.Title)), flags.String())
		}
	}
}

// manOthers lists the other pages: on that of the root what their commands do.
func manOthers(w io.Writer, cmd *cobra.Command, pages []*cobra.Command) {
	if !cmd.HasParent() {
		fmt.Fprint(w, ".SH COMMANDS\n")
		for _, sub := range pages[1:] {
			fmt.Fprintf(w, ".TP\n.BR %s (1)\n%s\n", Roff(ManName(sub)), Roff(sub.Short))
		}
		return
	}
	fmt.Fprint(w, ".SH SEE ALSO\n")
	var others []string
	for _, sub := range pages {
		if sub != cmd {
			others = append(others, fmt.Sprintf(".BR %s (1)", Roff(ManName(sub))))
		}
	}
	fmt.Fprintln(w, strings.Join(others, ",\n"))
}

// Roff is a text of one line as the macros take it: no character of it is an order.
func Roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "`", "\\(ga", `^`, `\(ha`, `~`, `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// roffWord is a text as one argument of a macro.
func roffWord(s string) string { return `"` + strings.ReplaceAll(Roff(s), `"`, `\(dq`) + `"` }
