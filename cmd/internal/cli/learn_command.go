package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// notRepeated are flags that change what is shown while a command runs, not its result.
var notRepeated = map[string]bool{"quiet": true, "progress": true, "until-eof": true, "checkpoint": true, "checkpoint-every": true, "resume": true}

// commandLine is the command, as a shell takes it, that has its argument and the
// flags that were set.
func commandLine(name, argument string, set *pflag.FlagSet) string {
	words := []string{"nervure", name}
	if !likeFlag(argument) {
		words = append(words, quoted(argument))
	}
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Changed || notRepeated[f.Name] {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			switch {
			case f.NoOptDefVal != "" && v == f.NoOptDefVal:
				words = append(words, "--"+f.Name)
			case f.NoOptDefVal != "":
				words = append(words, "--"+f.Name+"="+quoted(v))
			default:
				words = append(words, "--"+f.Name, quoted(v))
			}
		}
	})
	if likeFlag(argument) {
		words = append(words, "--", quoted(argument))
	}
	return strings.Join(words, " ")
}

// likeFlag says whether a name would be taken for a flag.
func likeFlag(name string) bool { return len(name) > 1 && name[0] == '-' }
