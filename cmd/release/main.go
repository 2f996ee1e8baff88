// Command release builds what is published of a version: programs for all platforms,
// wheels, a container image, recipes for package managers, checksums and a bill of
// materials. It runs in the root directory of the repository and builds its last
// commit, so that two builds give the same bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/mod/semver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run is the program with its arguments.
func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "version to build, such as 1.2.3 or 1.2.3-rc.1")
	out := flags.String("out", "dist", "directory to write to; what is in it is deleted")
	notice := flags.Bool("notice", false, "print NOTICE, and build nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *notice {
		text, err := noticeOf(ctx, source{dir: "."})
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(text)
		return err
	}
	v, err := checkVersion(*version)
	if err != nil {
		return err
	}
	return build(ctx, ".", v, *out)
}

// checkVersion returns a semantic version without the v.
func checkVersion(version string) (string, error) {
	if version == "" {
		return "", errors.New("which version? Say make release VERSION=1.2.3")
	}
	v := "v" + strings.TrimPrefix(version, "v")
	if !semver.IsValid(v) || semver.Canonical(v) != v { // canonical: three numbers, no +build
		return "", fmt.Errorf("version %q: want three numbers, such as 1.2.3, and perhaps a pre-release, such as 1.2.3-rc.1", version)
	}
	return v[1:], nil
}
