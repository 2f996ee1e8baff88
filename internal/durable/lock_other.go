//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package durable

import "os"

func lock(*os.File) lockState { return noLocks }
