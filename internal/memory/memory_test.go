package memory

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

func TestTheLeastLimitCounts(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const machine = "MemTotal:       16777216 kB\nMemFree:         1 kB\n"
	for name, c := range map[string]struct {
		root fstest.MapFS
		want int64
	}{
		"a machine":       {fstest.MapFS{"proc/meminfo": file(machine)}, 16 << 30},
		"no other system": {fstest.MapFS{}, 0},
		"a group without a limit": {fstest.MapFS{
			"proc/meminfo": file(machine), "proc/self/cgroup": file("0::/a\n"), "sys/fs/cgroup/a/memory.max": file("max\n"),
		}, 16 << 30},
		"a group": {fstest.MapFS{
			"proc/meminfo": file(machine), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("1073741824\n"),
		}, 1 << 30},
		"a group in another": {fstest.MapFS{
			"proc/meminfo": file(machine), "proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("2147483648\n"), "sys/fs/cgroup/a/memory.max": file("1073741824\n"),
		}, 1 << 30},
		"a container": {fstest.MapFS{
			"proc/meminfo": file(machine), "proc/self/cgroup": file("0::/docker/x\n"), "sys/fs/cgroup/memory.max": file("1073741824\n"),
		}, 1 << 30},
		"version 1": {fstest.MapFS{
			"proc/meminfo": file(machine), "proc/self/cgroup": file("4:cpu,memory:/a\n1:name=systemd:/\n"),
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": file("1073741824\n"),
		}, 1 << 30},
		"version 1 without a limit": {fstest.MapFS{
			"proc/meminfo": file(machine), "proc/self/cgroup": file("4:memory:/\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"),
		}, 16 << 30},
	} {
		if got, ok := linuxLimit(c.root); got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: got %d, %t, want %d", name, got, ok, c.want)
		}
	}
}

func TestGoHasALimitOfItsOwn(t *testing.T) {
	if Limit() <= 0 {
		t.Fatalf("the limit is %d", Limit())
	}
	old := debug.SetMemoryLimit(1 << 28)
	defer debug.SetMemoryLimit(old)
	if got := Limit(); got != 1<<28 {
		t.Errorf("got %d, want what Go is limited to", got)
	}
	if !CanHold(1<<27) || CanHold(1<<27+1) || CanHold(math.Inf(1)) {
		t.Error("data does not fit into half of the limit, or more does")
	}
}

func TestThisProcessHasMemory(t *testing.T) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("the system does not tell")
	}
	if n, ok := Resident(os.Getpid()); !ok || n < 1<<20 || n > Limit() {
		t.Errorf("it takes %d bytes, %t", n, ok)
	}
}

func TestThePeakIsThatOfWhatIsWatched(t *testing.T) {
	if !WatchPeak() {
		t.Skip("this system does not tell")
	}
	before, ok := Peak()
	if !ok {
		t.Fatal("the peak is unknown although it can be watched")
	}
	const size = 64 << 20
	block := make([]byte, size)
	for k := 0; k < size; k += 512 { // pages that nobody writes to are not there
		block[k] = 1
	}
	after, _ := Peak()
	runtime.KeepAlive(block)
	if grown := after - before; grown < size*9/10 {
		t.Errorf("%d bytes took %d more", size, grown)
	}
}
