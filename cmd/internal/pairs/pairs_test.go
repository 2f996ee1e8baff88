//go:build unix

package pairs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/repository"
)

var (
	seed  = flag.Uint64("seed", 0, "draw the whole covering array of this seed, which takes hours")
	limit = flag.Int("rows", 0, "try only this many rows of the array")
	keep  = flag.String("keep", "", "keep the files of runs that failed in this directory")
)

func newBench(t *testing.T) *bench {
	t.Helper()
	tool, err := repository.Build(t.Context(), filepath.Join("..", "..", ".."), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{tool: tool, page: openPage(t, tool)}
	if hasPython(t.Context()) {
		b.python = openPython(t, tool)
	}
	return b
}

// A tally counts what came of many runs.
type tally struct {
	mu      sync.Mutex
	codes   map[int]int
	faults  int
	longest time.Duration
}

// tryAll tries cases, as many at a time as there are processors.
func (b *bench) tryAll(t *testing.T, cases []*kase) *tally {
	t.Helper()
	sum := &tally{codes: map[int]int{}}
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= len(cases) {
					return
				}
				b.tryOne(t, cases[k], sum)
			}
		})
	}
	all.Wait()
	return sum
}

func (b *bench) tryOne(t *testing.T, c *kase, sum *tally) {
	t.Helper()
	dir, err := os.MkdirTemp("", "nervure-pairs-")
	must(err)
	defer func() { _ = os.RemoveAll(dir) }()
	v := b.try(t.Context(), c, dir)
	sum.mu.Lock()
	defer sum.mu.Unlock()
	sum.codes[v.code]++
	sum.longest = max(sum.longest, v.took)
	if testing.Verbose() {
		fmt.Printf("%d %6.2f s  %s\n", v.code, v.took.Seconds(), c)
	}
	if len(v.faults) == 0 {
		return
	}
	sum.faults++
	t.Errorf("%s\n\t%s", c, strings.Join(v.faults, "\n\t"))
	if *keep != "" {
		to := filepath.Join(*keep, fmt.Sprint(c.seed))
		must(os.MkdirAll(*keep, 0o700))
		must(os.CopyFS(to, os.DirFS(dir)))
		must(os.WriteFile(filepath.Join(to, "case.txt"), []byte(c.String()+"\n"+strings.Join(v.faults, "\n")+"\n"), 0o600))
	}
}

func TestTheWholeArray(t *testing.T) {
	if *seed == 0 {
		t.Skip("make pairs runs it")
	}
	cases, wanted := array(factors(), triplesOf, 40, *seed)
	pairs, triples := 0, 0
	for _, w := range wanted {
		if len(w.columns) == 2 {
			pairs += w.wanted
		} else {
			triples += w.wanted
		}
	}
	t.Logf("%d rows, %d pairs, %d triples", len(cases), pairs, triples)
	if *limit > 0 {
		cases = cases[:min(*limit, len(cases))]
	}
	sum := newBench(t).tryAll(t, cases)
	t.Logf("%d runs: exits %v, %d faults, longest %s", len(cases), sum.codes, sum.faults, sum.longest)
}
