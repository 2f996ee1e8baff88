package arguments

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// A Usual is a flag that most people use, and what it does in a few words; if there are none, what its
// help begins with does.
type Usual struct{ Name, Short string }

//go:embed brief.txt
var briefText string

// usual are the flags that most people use, by command, in the order in which -h lists them. A command
// that is not there has so few that -h lists all.
var usual = sync.OnceValue(func() map[string][]Usual {
	usual, shared := map[string][]Usual{}, map[string]string{}
	_, pages, _ := strings.Cut(briefText, "\n\n")
	for page := range strings.SplitSeq(strings.TrimSpace(pages), "\n\n") {
		name, list, _ := strings.Cut(page, "\n")
		for line := range strings.SplitSeq(list, "\n") {
			flag, short, _ := strings.Cut(strings.TrimSpace(line), " ")
			if short = strings.TrimSpace(short); name == "all" {
				shared[flag] = short
			} else if short == "" {
				short = shared[flag]
			}
			usual[name] = append(usual[name], Usual{flag, short})
		}
	}
	return usual
})

// UsualFlags returns the flags of a command that most people use, none if it has few.
func UsualFlags(cmd *cobra.Command) []Usual { return usual()[cmd.Name()] }
