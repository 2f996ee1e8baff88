package measure

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// benchmarks are measured by Go. No graph of recovery and robust was used for tuning; tuning
// has graphs of its own, on which step size and edge penalty of the recipe
// maretic2017 are chosen.
var benchmarks = []Measurement{
	ofGo("recovery", "recovered edges and codes, for the README: a minute",
		[]string{"-bench", "^BenchmarkRecovery$", "-benchtime", "20x", "./learn"}),
	ofGo("robust", "noise, missing values and unknown models: twenty minutes",
		[]string{"-bench", "^BenchmarkRobust$", "-benchtime", "1x", "./learn"}),
	ofGo("tuning", "the grid search behind the recipe maretic2017: four minutes",
		[]string{"-bench", "^BenchmarkTune$", "-benchtime", "1x", "./learn"}),
	ofGo("performance", "speed and memory: twenty minutes, best on an idle machine",
		[]string{"-v", "-cpu", "2", "-bench", "^Benchmark(Peak|Product|Eigen)$", "./internal/linalg"},
		[]string{"-v", "-cpu", "2", "-bench", "^Benchmark(AgainstReference|Performance|BothWays|Sizes|Memory)$", "-benchtime", "1x", "./learn"},
		[]string{"-v", "-cpu", "2", "-bench", "^Benchmark(ManySignals|Command)$", "-benchtime", "1x", "."},
		[]string{"-v", "-cpu", "1", "-bench", "^Benchmark(GlassoPeers|Choosing)$", "-benchtime", "1x", "./baseline"}),
}

// ofGo is a measurement by go test, with one list of arguments after another.
func ofGo(name, about string, tests ...[]string) Measurement {
	return Measurement{Name: name, About: about, run: func(ctx context.Context, o Options) error { return runBenchmarks(ctx, o, name, tests) }}
}

// BenchmarkFile is the path in the repository of what benchmarks printed.
func BenchmarkFile(name string) string { return "docs/results/" + name + ".txt" }

// runBenchmarks shows what benchmarks print as they go. The file of results is replaced when all of it is there.
func runBenchmarks(ctx context.Context, o Options, name string, tests [][]string) error {
	var kept strings.Builder
	for _, args := range tests {
		cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-run", "^$", "-timeout", "0"}, args...)...)
		var out strings.Builder
		cmd.Dir, cmd.Stdout, cmd.Stderr = o.Root, io.MultiWriter(o.Log, &out), o.Log
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for line := range strings.Lines(out.String()) {
			if resultOrSetting.MatchString(line) {
				kept.WriteString(line)
			}
		}
	}
	return os.WriteFile(filepath.Join(o.Root, BenchmarkFile(name)), []byte(kept.String()), 0o644)
}

// resultOrSetting is a line of the benchmark format, without the words around it.
var resultOrSetting = regexp.MustCompile(`^((goos|goarch|pkg|cpu): |Benchmark\S+\s+[0-9])`)

// resultLine is a line of Go's benchmark format: name, iterations, then pairs of
// value and unit. Go adds the number of threads to the name.
var resultLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+(\d+)\s+(.*)$`)

// ParseBenchmarks reads records in Go's benchmark format, such as Performance/er/n=20/m=200: the stage is the first
// part of the name, the cell the whole, and "kind" the other parts that have no equals sign. Values are those of
// the name and, by unit, what was measured, with the iterations as unit "N". Other lines are passed over.
func ParseBenchmarks(text string) ([]experiment.Record, error) {
	var all []experiment.Record
	for line := range strings.Lines(text) {
		m := resultLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		fields := append([]string{m[2], "N"}, strings.Fields(m[3])...)
		r := experiment.Record{Cell: m[1], Values: inName(m[1])}
		r.Stage, _, _ = strings.Cut(m[1], "/")
		for k := 0; k+1 < len(fields); k += 2 {
			v, err := strconv.ParseFloat(fields[k], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m[1], err)
			}
			r.Values[fields[k+1]] = v
		}
		all = append(all, r)
	}
	return all, nil
}

// inName are the values in the name of a benchmark.
func inName(name string) Values {
	v := Values{}
	var kind []string
	for _, part := range strings.Split(name, "/")[1:] {
		key, text, labelled := strings.Cut(part, "=")
		number, err := strconv.ParseFloat(text, 64)
		switch {
		case !labelled:
			kind = append(kind, part)
		case err == nil:
			v[key] = number
		default:
			v[key] = text
		}
	}
	v["kind"] = strings.Join(kind, "/")
	return v
}

// ReadBenchmarks reads the file of results, and returns its text, too. There are none in a file that does not
// exist yet.
func ReadBenchmarks(root, name string) ([]experiment.Record, string, error) {
	text, err := os.ReadFile(filepath.Join(root, BenchmarkFile(name)))
	if err != nil && !os.IsNotExist(err) {
		return nil, "", err
	}
	all, err := ParseBenchmarks(string(text))
	return all, string(text), err
}
