package main

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
)

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
	_, err := output(ctx, s.dir, toolchain(platform), "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", compilerFlags(platform), "-ldflags="+link, "-o", path, "./cmd/nervure")
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
