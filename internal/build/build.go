// Package build knows what this program was built from.
package build

import (
	"runtime/debug"
	"strings"
)

// sourceVersion is the version of the source. A build of a tagged module knows better.
const sourceVersion = "0.3.0-dev"

const module = "github.com/nervure/nervure"

// What a release says of itself, set by the linker (cmd/release): it is built from the
// files of a commit, outside of its repository, where Go finds neither tag nor commit.
var (
	releaseVersion string // without the v
	releaseCommit  string
)

// Info says what a program was built from.
type Info struct {
	Version  string // of nervure, without the v
	Released string // the version of the program that others can fetch, without the v; "" if there is none
	Revision string // commit, or "" if the build does not know
	Modified bool   // the source differed from the commit
}

// Read returns what is known about this program.
func Read() Info {
	if releaseVersion != "" {
		return Info{Version: releaseVersion, Released: releaseVersion, Revision: releaseCommit}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: sourceVersion}
	}
	return of(info)
}

func of(info *debug.BuildInfo) Info {
	b := Info{Version: version(info)}
	if v, ok := strings.CutPrefix(info.Main.Version, "v"); ok && !strings.Contains(v, dirty) {
		b.Released = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// dirty marks the version of a source that differs from its commit.
const dirty = "+dirty"

// version is that of nervure, in its own program and in others.
func version(info *debug.BuildInfo) string {
	v := ""
	if info.Main.Path == module {
		v = info.Main.Version
	}
	for _, d := range info.Deps {
		if d.Path == module {
			v = d.Version
		}
	}
	v = strings.TrimPrefix(v, "v")
	if v == "" || v == "(devel)" || strings.HasPrefix(v, "0.0.0-") || strings.Contains(v, dirty) {
		return sourceVersion // no tag stands for these
	}
	return v
}
