package arguments

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
)

// CommandLine is the command, as a shell takes it, that does what a document says.
func CommandLine(r document.Run) string {
	cmd, name := &cobra.Command{}, "learn"
	if r.Compare != nil {
		name = "compare"
		(&Compare{run: r}).Define(cmd)
	} else {
		(&Learn{run: r}).Define(cmd)
	}
	var flags []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { flags = append(flags, flagWords(flag)...) })
	for _, o := range document.Options() {
		if learns(o) && cmd.Flags().Lookup(o.Flag()) == nil {
			for _, text := range o.Texts(&r) {
				flags = append(flags, "--set", o.Key+"="+text)
			}
		}
	}
	words, files := []string{"nervure", name}, r.Read.Files
	likeFlag := func(name string) bool { return len(name) > 1 && name[0] == '-' }
	if slices.ContainsFunc(files, likeFlag) {
		words = append(append(words, flags...), append([]string{"--"}, files...)...)
	} else {
		words = append(append(words, files...), flags...)
	}
	for k, word := range words {
		words[k] = Quoted(word)
	}
	return strings.Join(words, " ")
}

// flagWords returns a flag of a run as a command line has it; nothing if it is not set.
func flagWords(f *pflag.Flag) (words []string) {
	var values []string
	switch v := f.Value.(type) {
	case repeatedFlag:
		values = v.GetSlice()
	case runFlag, typedFlag, stepFlag:
		values = []string{v.String()}
	}
	for _, v := range values {
		switch {
		case v == "":
		case f.NoOptDefVal != "" && v == f.NoOptDefVal:
			words = append(words, "--"+f.Name)
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name+"="+v)
		default:
			words = append(words, "--"+f.Name, v)
		}
	}
	return words
}

// Quoted returns a path as a shell takes it.
func Quoted(path string) string {
	if path != "" && !strings.ContainsAny(path, " \t\n'\"\\$&;|<>()*?[]{}`~#!") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
