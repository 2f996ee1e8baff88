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
	"path/filepath"
	"runtime"
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

const (
	module = "github.com/nervure/nervure"
	home   = "https://" + module
)

// platforms are what is built for: GOOS/GOARCH. Windows on ARM runs the program for
// amd64; each platform costs a minute.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// host is the platform that this runs on.
const host = runtime.GOOS + "/" + runtime.GOARCH

// toolchain is the environment of Go: nothing of the caller's changes the bytes.
func toolchain(platform string) []string {
	system, processor, _ := strings.Cut(platform, "/")
	return []string{
		"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off",
	}
}

// compilerFlags are those of the compiler. What debuggers need is left out of the program,
// so it is not made either, which takes an eighth of the time. On arm64 the compiler
// would fuse products with sums, which round differently then from those of x86-64: it
// is kept from that, in all packages.
func compilerFlags(platform string) string {
	flags := "-gcflags=all=-dwarf=false"
	if strings.HasSuffix(platform, "/arm64") {
		flags += " -d=fmahash=qn"
	}
	return flags
}

// compile builds the program for a platform: static, without paths of this machine,
// and saying which version it is.
func compile(ctx context.Context, s source, version, platform, path string) error {
	link := "-s -w -buildid= -X " + module + "/internal/build.releaseVersion=" + version + " -X " + module + "/internal/build.releaseCommit=" + s.commit
	_, err := output(ctx, s.dir, toolchain(platform), "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly",
		compilerFlags(platform), "-ldflags="+link, "-o", path, "./cmd/nervure")
	return err
}

// programName is the name of the program's file on a platform.
func programName(platform string) string {
	if strings.HasPrefix(platform, "windows/") {
		return "nervure.exe"
	}
	return "nervure"
}

// compileAll builds the program for all platforms below dir and returns where.
func compileAll(ctx context.Context, s source, version, dir string, say func(string)) (map[string]string, error) {
	built := map[string]string{}
	for _, platform := range platforms {
		path := filepath.Join(dir, filepath.FromSlash(platform), programName(platform))
		if err := compile(ctx, s, version, platform, path); err != nil {
			return nil, err
		}
		built[platform] = path
		say(platform)
	}
	return built, nil
}
