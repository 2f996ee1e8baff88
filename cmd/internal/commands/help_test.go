package commands

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
)

// What -h shows of a command fits a screen of 25 lines and 80 columns, names flags that there are, and
// says how to see the rest.
func TestShortHelpFitsAScreen(t *testing.T) {
	for _, cmd := range manual(t)[1:] {
		var b bytes.Buffer
		views.BriefHelp(&b, cmd, nil)
		text := b.String()
		if lines := strings.Count(text, "\n"); lines > 25 {
			t.Errorf("%s -h: %d lines", cmd.Name(), lines)
		}
		for line := range strings.Lines(text) {
			if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > views.Columns {
				t.Errorf("%s -h: %d columns: %s", cmd.Name(), w, line)
			}
		}
		var whole bytes.Buffer
		views.Help(&whole, cmd, nil)
		if text != whole.String() && !strings.Contains(text, "Run '"+cmd.CommandPath()+" --help' for all ") {
			t.Errorf("%s -h does not say how to see the rest", cmd.Name())
		}
		for _, u := range arguments.UsualFlags(cmd) {
			if cmd.Flags().Lookup(u.Name) == nil {
				t.Errorf("%s has no flag --%s", cmd.Name(), u.Name)
			}
		}
	}
}

// A flag that may stand alone takes its word after a space as well, whatever command has it.
func TestEveryFlagTakesItsWordAfterASpace(t *testing.T) {
	t.Chdir(t.TempDir()) // where no file is called no
	for _, cmd := range manual(t)[1:] {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal == "" || f.Name == "help" {
				return
			}
			args := []string{cmd.Name(), "--" + f.Name, "no"}
			if got := arguments.JoinWords(cmd.Root(), args); len(got) != 2 {
				t.Errorf("%q stays apart: %q", args, got)
			} else if err := cmd.ParseFlags(got[1:]); err != nil {
				t.Errorf("%q: %v", args, err)
			}
		})
	}
}
