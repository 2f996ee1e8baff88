package nervure

import "github.com/nervure/nervure/internal/build"

// Version returns the version of nervure in this build, without the v.
func Version() string { return build.Read().Version }
