package nervure

import (
	"runtime/debug"
	"strings"
)

// sourceVersion is the version of the source. A build of a tagged module knows better.
const sourceVersion = "0.1.0-dev"

const modulePath = "github.com/nervure/nervure"

// Version returns the version of nervure in this build, without the v.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return sourceVersion
	}
	v := ""
	if info.Main.Path == modulePath {
		v = info.Main.Version
	}
	for _, d := range info.Deps {
		if d.Path == modulePath {
			v = d.Version
		}
	}
	v = strings.TrimPrefix(v, "v")
	if v == "" || v == "(devel)" || strings.HasPrefix(v, "0.0.0-") || strings.Contains(v, "+dirty") {
		return sourceVersion // no tag stands for these
	}
	return v
}
