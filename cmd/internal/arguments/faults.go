package arguments

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
)

// A UsageError is a command line that cannot be carried out.
type UsageError struct {
	msg     string
	Command string // whose help to point to, such as "nervure learn"; empty for none
}

func (e *UsageError) Error() string { return e.msg }

// Misuse is a usageError, without the command.
func Misuse(format string, args ...any) error {
	return &UsageError{msg: fmt.Sprintf(format, args...)}
}

// Reason is a system error without the call and the path that Go puts first.
func Reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// NoArguments wants none.
func NoArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misuse("this command takes only flags, got %q", args[0])
	}
	return nil
}

// SomeArguments wants at least one argument.
func SomeArguments(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Misuse("%s is missing", what)
		}
		return nil
	}
}

// OneArgument wants exactly one argument.
func OneArgument(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return Misuse("too many arguments: want only %s, also got %q", what, args[1])
		}
		return SomeArguments(what)(nil, args)
	}
}

// GraphAndSignals wants two arguments, of which one may be standard input.
func GraphAndSignals(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return Misuse("the graph file (or - for standard input) is missing")
	case len(args) == 1:
		return Misuse("the signals file (or - for standard input) is missing")
	case len(args) > 2:
		return Misuse("too many arguments: want a graph and signals, also got %q", args[2])
	case args[0] == "-" && args[1] == "-":
		return Misuse("the graph and the signals cannot both be standard input: give a file for one of them")
	}
	return nil
}

// FlagError puts what pflag says into our words.
func FlagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		why := e.Unwrap().Error()
		if errors.Is(e, document.ErrNoFile) || errors.Is(e, document.ErrNoFolder) {
			return Misuse("--%s %s", e.GetFlag().Name, why)
		}
		switch e.GetFlag().Value.Type() {
		case "uint64":
			why = "want an integer of at least 0"
		case "bool":
			why = "want true or false"
		}
		return Misuse("--%s %q: %s", e.GetFlag().Name, e.GetValue(), why)
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if e.GetSpecifiedShortnames() != "" {
			return Misuse("unknown flag -%s", e.GetSpecifiedName())
		}
		return Misuse("unknown flag --%s%s", e.GetSpecifiedName(), nearestFlag(cmd, e.GetSpecifiedName()))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return Misuse("--%s needs a value", e.GetSpecifiedName())
	}
	return Misuse("%s", err)
}

// nearestFlag asks whether another flag was meant.
func nearestFlag(cmd *cobra.Command, given string) string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	near := words.Meant(given, all)
	if len(near) == 0 {
		return ""
	}
	for k, name := range near {
		near[k] = "--" + name
	}
	return "; did you mean " + either(near) + "?"
}
