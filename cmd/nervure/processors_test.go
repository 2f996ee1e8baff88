package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/repository"
)

// Programs for other processors take minutes to build and to run, so they are asked for.
var otherProcessors = flag.Bool("processors", false, "also learn by programs for arm64, under qemu, and for WebAssembly, under Node.js")

// A processor is a program and a way to run it.
type processor struct {
	name    string
	env     []string // of its build
	flags   []string // of its build
	debug   string   // GODEBUG of its runs
	runner  []string // any of these programs runs it; none means that it runs by itself
	kernels string   // that it must say it computes with
	rounds  bool     // its graphs are those of x86-64 to the last bit
}

// noFusing keeps the compiler from fusing products with sums, which it does on arm64
// but not on x86-64.
const noFusing = "-gcflags=all=-d=fmahash=qn"

// x86 are the ways to run the program on this processor. The first is its own.
var x86 = []processor{
	{name: "AVX-512", kernels: "AVX-512", rounds: true},
	{name: "AVX2", debug: "cpu.avx512f=off", kernels: "AVX2", rounds: true},
	{name: "no AVX2", debug: "cpu.avx512f=off,cpu.avx2=off", kernels: "portable", rounds: true},
	{name: "no FMA", debug: "cpu.avx512f=off,cpu.fma=off", kernels: "portable", rounds: true},
}

// others have programs of their own. Programs for arm64 are published with nothing fused;
// built in the usual way, they round differently.
var others = []processor{
	{name: "purego", flags: []string{"-tags", "purego"}, kernels: "portable", rounds: true},
	{name: "arm64", env: []string{"GOOS=linux", "GOARCH=arm64"}, runner: []string{"qemu-aarch64-static", "qemu-aarch64"}, kernels: "portable"},
	{name: "arm64, nothing fused", env: []string{"GOOS=linux", "GOARCH=arm64"}, flags: []string{noFusing}, runner: []string{"qemu-aarch64-static", "qemu-aarch64"}, kernels: "portable", rounds: true},
	{name: "WebAssembly", env: []string{"GOOS=js", "GOARCH=wasm"}, runner: []string{"go_js_wasm_exec"}, kernels: "portable", rounds: true},
}

// A problem is what all of them learn from.
type problem struct {
	name string
	args []string
}

// problems are the samples, and fields drawn here.
func (b *builder) problems(t *testing.T) []problem {
	t.Helper()
	all := []problem{{"leaf", []string{"sample:leaf"}}}
	orders := []string{"2"}
	if needs.TestAll() {
		orders = append(orders, "heat")
	}
	for _, order := range orders {
		to := filepath.Join(b.dir, "field-"+order)
		b.run(t, processor{}, "generate", "--kind", "field", "--order", order, "--graph", "rbf", "--vertices", "20", "--noise", "0.01", "--seed", "3", "--out", to)
		all = append(all, problem{"field of order " + order, []string{filepath.Join(to, "signals.csv"), "--method", "field"}})
	}
	if *otherProcessors {
		all = append(all, problem{"molene", []string{"sample:molene"}})
	}
	return all
}

// On x86-64, the files are the same, byte for byte. By the published programs for other
// processors, and in the browser, the graphs are; the last digits in summaries may
// differ, where a matrix is inverted by gonum. By other programs for arm64, the graphs
// have the same edges, with weights that differ by rounding alone.
func TestGraphsAreTheSameOnAllProcessors(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("this compares the programs of x86-64, on Linux, with each other")
	}
	processors := slices.Clone(x86)
	if *otherProcessors {
		processors = append(processors, others...)
	}
	b := builder{dir: t.TempDir(), built: map[string]string{}}
	given := b.problems(t)
	best := strings.TrimSuffix(kernelsOf(b.run(t, processor{}, "version")), " kernels")
	reference := map[string]answer{}
	tried, faults, alike := 0, 0, 0
	for _, p := range processors {
		t.Run(p.name, func(t *testing.T) {
			order := []string{"portable", "AVX2", "AVX-512"}
			if len(p.runner) == 0 && slices.Index(order, p.kernels) > slices.Index(order, best) {
				t.Skip("this processor has no " + p.kernels)
			}
			if reason := b.cannot(p); reason != "" {
				needs.LeaveOut(t, reason)
			}
			if got := kernelsOf(b.run(t, p, "version")); got != p.kernels+" kernels" {
				t.Fatalf("it computes with %s, want %s kernels", got, p.kernels)
			}
			for _, q := range given {
				tried++
				got := b.learn(t, p, q)
				want, known := reference[q.name]
				switch {
				case !known:
					reference[q.name] = got
				case p.rounds && !bytes.Equal(got.graph, want.graph), p.env == nil && !bytes.Equal(got.summary, want.summary):
					faults++
					t.Errorf("%s: other bytes than by the first processor", q.name)
				case !sameGraph(t, got.graph, want.graph):
					faults++
					t.Errorf("%s: another graph than by the first processor", q.name)
				}
				if known && bytes.Equal(got.graph, want.graph) {
					alike++
				}
			}
		})
	}
	t.Attr("tried", strconv.Itoa(tried))
	t.Attr("faults", strconv.Itoa(faults))
	t.Attr("note", strconv.Itoa(alike+len(reference))+" of the graphs equal to the last bit")
}

// kernelsOf returns the kernels that the words of version name.
func kernelsOf(version []byte) string {
	return regexp.MustCompile(`[^ ,]+ kernels`).FindString(string(version))
}

// A builder builds programs, each once.
type builder struct {
	dir   string
	built map[string]string // by environment and flags
}

// cannot returns what is missing to run a program here, or "".
func (b *builder) cannot(p processor) string {
	if p.name == "WebAssembly" {
		if _, err := exec.LookPath("node"); err != nil {
			return "there is no node"
		}
	}
	if len(p.runner) > 0 && b.runner(p) == "" {
		return "there is no " + p.runner[0]
	}
	return ""
}

// runner finds what runs a program.
func (b *builder) runner(p processor) string {
	for _, name := range p.runner {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
		if path := filepath.Join(runtime.GOROOT(), "lib", "wasm", name); isFile(path) { //nolint:staticcheck // the test runs where it was built
			return path
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// run runs a program and returns its output.
func (b *builder) run(t *testing.T, p processor, args ...string) []byte {
	t.Helper()
	line := append([]string{b.program(t, p)}, args...)
	if len(p.runner) > 0 {
		line = append([]string{b.runner(p)}, line...)
	}
	c := exec.CommandContext(t.Context(), line[0], line[1:]...)
	c.Dir, c.Env = b.dir, append(os.Environ(), "GODEBUG="+p.debug)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(line, " "), err, out)
	}
	return out
}

// program builds a program.
func (b *builder) program(t *testing.T, p processor) string {
	t.Helper()
	key := strings.Join(slices.Concat(p.env, p.flags), " ")
	if path, ok := b.built[key]; ok {
		return path
	}
	if key == "" {
		path, err := repository.Build(t.Context(), filepath.Join("..", ".."), b.dir)
		if err != nil {
			t.Fatal(err)
		}
		b.built[key] = path
		return path
	}
	path := filepath.Join(b.dir, "nervure"+strconv.Itoa(len(b.built)))
	c := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"build", "-o", path}, p.flags, []string{"."})...)
	// Under GOAMD64=v3 the compiler fuses, too.
	c.Env = slices.Concat(os.Environ(), []string{"GOAMD64=v1"}, p.env)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("cannot build the program for %s: %v\n%s", p.name, err, out)
	}
	b.built[key] = path
	return path
}

// An answer is what a program wrote.
type answer struct{ graph, summary []byte }

// seconds are the only thing in a summary that may differ.
var seconds = regexp.MustCompile(`"seconds": [-+.0-9e]+`)

func (b *builder) learn(t *testing.T, p processor, q problem) answer {
	t.Helper()
	b.run(t, p, slices.Concat([]string{"learn"}, q.args, []string{"--confidence", "no", "--out", "graph.csv", "--summary", "summary.json"})...)
	var a answer
	for name, to := range map[string]*[]byte{"graph.csv": &a.graph, "summary.json": &a.summary} {
		path := filepath.Join(b.dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		*to = seconds.ReplaceAll(data, nil)
	}
	return a
}

// roundingOnly is how much weights may differ by, as a share. Rounding errors of 1e-16
// grow with the condition of a problem, and iterations stop at 1e-9 or so.
const roundingOnly = 1e-6

// sameGraph reports whether two files have the same edges, with weights that differ by
// rounding alone.
func sameGraph(t *testing.T, a, b []byte) bool {
	t.Helper()
	return slices.EqualFunc(table(t, a), table(t, b), func(x, y []string) bool {
		return slices.EqualFunc(x, y, func(u, v string) bool {
			p, err := strconv.ParseFloat(u, 64)
			q, other := strconv.ParseFloat(v, 64)
			return u == v || err == nil && other == nil && math.Abs(p-q) <= roundingOnly*math.Abs(q)
		})
	})
}

func table(t *testing.T, data []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestSameGraph(t *testing.T) {
	graph := []byte("source,target,weight\na,b,0.5\n")
	for other, want := range map[string]bool{
		"source,target,weight\na,b,0.5\n":                 true,
		"source,target,weight\na,b,0.50000000000000011\n": true,
		"source,target,weight\na,b,0.500001\n":            false,
		"source,target,weight\na,c,0.5\n":                 false,
		"source,target,weight\n":                          false,
	} {
		if got := sameGraph(t, []byte(other), graph); got != want {
			t.Errorf("%q: got %v, want %v", other, got, want)
		}
	}
}
