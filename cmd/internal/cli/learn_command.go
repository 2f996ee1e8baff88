package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// notRepeated are flags that change what is shown while a command runs, not its result.
var notRepeated = map[string]bool{"quiet": true, "progress": true, "until-eof": true, "checkpoint": true, "checkpoint-every": true, "resume": true}

// commandLine is the command, as a shell takes it, that has its arguments and the
// flags that were set.
func commandLine(name string, arguments []string, set *pflag.FlagSet) string {
	words := []string{"nervure", name}
	last := slices.ContainsFunc(arguments, likeFlag) // after all flags
	if !last {
		for _, argument := range arguments {
			words = append(words, quoted(argument))
		}
	}
	for _, word := range flagWords(set, notRepeated) {
		words = append(words, quoted(word))
	}
	if last {
		words = append(words, "--")
		for _, argument := range arguments {
			words = append(words, quoted(argument))
		}
	}
	return strings.Join(words, " ")
}

// flagWords returns the flags that were set, but for some, as a command line has them.
func flagWords(set *pflag.FlagSet, without map[string]bool) []string {
	var words []string
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Changed || without[f.Name] {
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
				words = append(words, "--"+f.Name+"="+v)
			default:
				words = append(words, "--"+f.Name, v)
			}
		}
	})
	return words
}

// likeFlag says whether a name would be taken for a flag.
func likeFlag(name string) bool { return len(name) > 1 && name[0] == '-' }
