package memory

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// The files of Linux are read from any root, so that those of other machines can be
// tried.

// linuxLimit is the memory of the machine, or less if a control group has less.
func linuxLimit(root fs.FS) (int64, bool) {
	limit, ok := total(root)
	for _, file := range groupFiles(root) {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && (!ok || n < limit) { // not "max"
			limit, ok = n, true
		}
	}
	return limit, ok
}

// total is the memory of the machine.
func total(root fs.FS) (int64, bool) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) >= 2 && string(fields[0]) == "MemTotal:" {
			kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return kilobytes << 10, err == nil
		}
	}
	return 0, false
}

// groupFiles lists where the limits of the control group of this process, and of those
// that it is in, may stand. In a container, the path of the group can be one outside: the root is
// tried in any case.
func groupFiles(root fs.FS) (files []string) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(parts) < 3 {
			continue
		}
		top, file := "sys/fs/cgroup", "memory.max"
		switch {
		case parts[1] == "": // version 2
		case strings.Contains(","+parts[1]+",", ",memory,"):
			top, file = top+"/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			files = append(files, path.Join(top, group, file))
			if group == "/" {
				break
			}
		}
	}
	return files
}

// Resident returns the memory of a process in bytes, where the system tells (Linux).
func Resident(pid int) (int64, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// WatchPeak starts over to watch the memory of this process for [Peak], where the system can (Linux).
func WatchPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// Peak returns the most memory in bytes that this process has had so far, or since [WatchPeak], where the
// system tells (Linux).
func Peak() (int64, bool) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(text), "\nVmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kibibytes, err := strconv.ParseInt(number, 10, 64)
	return kibibytes << 10, err == nil
}
