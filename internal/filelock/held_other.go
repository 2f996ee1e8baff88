//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package filelock

import "os"

func held(*os.File) bool { return false }
