package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// status is MEMORYSTATUSEX.
type status struct {
	size, load              uint32
	total, free             uint64
	totalPage, freePage     uint64
	totalVirtual, available uint64
	extended                uint64
}

func ofSystem() (int64, bool) {
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	var s status
	s.size = uint32(unsafe.Sizeof(s))
	ok, _, _ := call.Call(uintptr(unsafe.Pointer(&s)))
	return int64(s.total), ok != 0
}
