package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A usageError is a command line that cannot be carried out.
type usageError struct {
	msg     string
	command string // whose help to point to, such as "nervure learn"; empty for none
}

func (e *usageError) Error() string { return e.msg }

// misuse is a usageError, without the command.
func misuse(format string, args ...any) error {
	return &usageError{msg: fmt.Sprintf(format, args...)}
}

// reason is a system error without the call and the path that Go puts first.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// noArguments, someArguments, oneArgument and graphAndSignals say in words what is wrong.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("this command takes only flags, got %q", args[0])
	}
	return nil
}

// someArguments wants at least one argument.
func someArguments(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misuse("%s is missing", what)
		}
		return nil
	}
}

func oneArgument(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return misuse("too many arguments: want only %s, also got %q", what, args[1])
		}
		return someArguments(what)(nil, args)
	}
}

func graphAndSignals(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return misuse("the graph file (or - for standard input) is missing")
	case len(args) == 1:
		return misuse("the signals file (or - for standard input) is missing")
	case len(args) > 2:
		return misuse("too many arguments: want a graph and signals, also got %q", args[2])
	case args[0] == "-" && args[1] == "-":
		return misuse("the graph and the signals cannot both be standard input: give a file for one of them")
	}
	return nil
}

// flagError puts what pflag says into our words.
func flagError(cmd *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		why := e.Unwrap().Error()
		if errors.Is(e, errNoName) || errors.Is(e, errNoFolder) {
			return misuse("--%s %s", e.GetFlag().Name, why)
		}
		switch e.GetFlag().Value.Type() {
		case "uint64":
			why = "want an integer of at least 0"
		case "bool":
			why = "want true or false"
		}
		return misuse("--%s %q: %s", e.GetFlag().Name, e.GetValue(), why)
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if e.GetSpecifiedShortnames() != "" {
			return misuse("unknown flag -%s", e.GetSpecifiedName())
		}
		return misuse("unknown flag --%s%s", e.GetSpecifiedName(), nearestFlag(cmd, e.GetSpecifiedName()))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return misuse("--%s needs a value", e.GetSpecifiedName())
	}
	return misuse("%s", err)
}

// nearestFlag asks whether a flag was meant that begins like the one given, or the
// other way round.
func nearestFlag(cmd *cobra.Command, given string) string {
	var near []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Name, given) || strings.HasPrefix(given, f.Name) {
			near = append(near, "--"+f.Name)
		}
	})
	if len(near) == 0 || len(given) < 2 {
		return ""
	}
	return "; did you mean " + either(near) + "?"
}
