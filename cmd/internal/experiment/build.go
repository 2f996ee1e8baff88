package experiment

import "github.com/nervure/nervure/internal/build"

// A Build says which program measured: results of different ones do not mix.
type Build = build.Program
