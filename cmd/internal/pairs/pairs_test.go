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

	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/repository"
)

var (
	seed    = flag.Uint64("seed", 0, "try the whole array of this seed, which takes half an hour")
	oneCase = flag.String("case", "", "try this case, a line as a failure prints it")
	keep    = flag.String("keep", "", "keep the files of cases that failed in this directory")
)

func newBench(t *testing.T) *bench {
	t.Helper()
	tool, err := repository.Build(t.Context(), filepath.Join("..", "..", ".."), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{tool: tool, page: openPage(t, tool)}
	t.Run("python", func(sub *testing.T) {
		if !hasPython(sub.Context()) {
			needs.LeaveOut(sub, "there is no Python with NumPy and pandas")
		}
		b.python = openPython(t, tool)
	})
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
		fmt.Printf("%d %6.2f s  %s  %s\n", v.code, v.took.Seconds(), c, strings.TrimSpace(v.said))
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

// report counts cases and what is in them.
func (sum *tally) report(t *testing.T, seed uint64, wanted []*tuples) {
	t.Helper()
	pairs, triples, runs := 0, 0, 0
	for _, w := range wanted {
		if len(w.columns) == 3 {
			triples += w.wanted
		} else if len(w.columns) == 2 {
			pairs += w.wanted
		}
	}
	for _, n := range sum.codes {
		runs += n
	}
	t.Attr("tried", fmt.Sprint(runs))
	t.Attr("faults", fmt.Sprint(sum.faults))
	done, refused := sum.codes[codeDone], sum.codes[codeMisuse]
	note := fmt.Sprintf("seed %d: %d pairs and %d triples in %d cases, each run twice", seed, pairs, triples, runs)
	note += fmt.Sprintf(", exit 0: %d, exit 2: %d, others: %d", done, refused, runs-done-refused)
	note += fmt.Sprintf(", at most %.0f s of processor time", sum.longest.Seconds())
	t.Attr("note", note)
	t.Log(note)
}

// All pairs of values of all factors, and all triples of the first six.
//
//	make pairs SEED=7
func TestTheWholeArray(t *testing.T) {
	if *seed == 0 {
		t.Skip("make pairs runs it")
	}
	b := newBench(t)
	b.tryAll(t, onceFaulty(t, "once-slow.txt"))
	cases, wanted := array(*seed, 40, func(columns, _ int) bool { return columns == 2 || columns == 3 })
	b.tryAll(t, cases).report(t, *seed, wanted)
}

// fewPairs is the most pairs of values that two factors have of which the fixed array has all.
const fewPairs = 220

// Small graphs with all values of all factors and, with make test-all, all pairs of values of those factors that
// have few; and all cases that failed once.
func TestAFixedArray(t *testing.T) {
	b := newBench(t)
	if *oneCase != "" {
		b.tryAll(t, []*kase{parsed(t, *oneCase)})
		return
	}
	b.tryAll(t, onceFaulty(t, "once-faulty.txt"))
	const fixed = 1
	cases, wanted := array(fixed, 6, func(columns, all int) bool {
		return columns == 1 || columns == 2 && all <= fewPairs && needs.TestAll()
	})
	b.tryAll(t, cases).report(t, fixed, wanted)
}

// onceFaulty reads cases that failed once. Those that took too long take long still.
func onceFaulty(t *testing.T, file string) (cases []*kase) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	must(err)
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			cases = append(cases, parsed(t, line))
		}
	}
	return cases
}

func parsed(t *testing.T, line string) *kase {
	t.Helper()
	c, err := parseCase(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return c
}

// A case is the same after it was written and read.
func TestACaseIsALine(t *testing.T) {
	cases, _ := array(3, 40, func(columns, _ int) bool { return columns == 1 })
	for _, c := range cases {
		if again, err := parseCase(c.String()); err != nil || again.String() != c.String() {
			t.Errorf("%s became %v, %v", c, again, err)
		}
	}
	if _, err := parseCase(strings.Replace(cases[0].String(), "kind=", "kind=un", 1)); err == nil {
		t.Error("a value that does not exist is taken")
	}
}
