package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/pflag"
)

// defineUntilEOF defines the flag by which a program stops a run that it began.
func defineUntilEOF(s *pflag.FlagSet, until *bool) {
	s.BoolVar(until, "until-eof", false, "stop like Ctrl-C when standard input is closed, for programs that run nervure")
}

func checkUntilEOF(asked bool, signals string) error {
	if asked && signals == "-" {
		return misuse("--until-eof needs signals from a file, because the end of standard input stops the run")
	}
	return nil
}

// untilEOF returns a context that ends with standard input, if that was asked for.
func untilEOF(ctx context.Context, c console, asked bool) (context.Context, context.CancelFunc) {
	if !asked {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, c.in) // a fault ends it as well
		cancel(errors.New("standard input was closed"))
	}()
	return ctx, func() { cancel(nil) }
}
