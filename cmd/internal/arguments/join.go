package arguments

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/prepare"
)

// JoinWords returns args with a flag that may stand alone, and the word after it, as one: such a flag
// takes its value only after an equals sign, and --scores no would be a file called no. A word that is
// also the name of a file stays by itself.
func JoinWords(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	var joined []string
	for k := 0; k < len(args); k++ {
		if args[k] == "--" {
			return append(joined, args[k:]...)
		}
		flag := flagOf(cmd, args[k])
		switch {
		case flag == nil || k+1 == len(args):
			joined = append(joined, args[k])
		case flag.NoOptDefVal == "": // it takes what follows, whatever that is
			joined = append(joined, args[k], args[k+1])
			k++
		case takes(flag, args[k+1]) && !isThere(args[k+1]):
			joined = append(joined, args[k]+"="+asTaken(flag, args[k+1]))
			k++
		default:
			joined = append(joined, args[k])
		}
	}
	return joined
}

// flagOf returns the flag that an argument is the long name of; nil if it is none, or has its value.
func flagOf(cmd *cobra.Command, arg string) *pflag.Flag {
	if name, ok := strings.CutPrefix(arg, "--"); ok && name != "" {
		return cmd.Flag(name)
	}
	return nil
}

// takes reports whether a word is one of those that a flag is for.
func takes(flag *pflag.Flag, word string) bool {
	if list := choices(flag.Value); list != nil {
		return slices.Contains(list, yesOrNo(word))
	}
	return asTaken(flag, word) != "" && flag.Value.Type() == "bool"
}

// asTaken is a word as a flag takes it: a switch has true and false for yes and no.
func asTaken(flag *pflag.Flag, word string) string {
	if flag.Value.Type() != "bool" {
		return word
	}
	switch yesOrNo(word) {
	case string(prepare.Yes):
		return "true"
	case string(prepare.No):
		return "false"
	}
	return ""
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
