//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package filelock

import "os"

func take(*os.File) State { return None }
