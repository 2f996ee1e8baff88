// Package benchmark reads what Go's benchmarks print, and runs those whose results
// are committed.
package benchmark

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
)

// A Run is benchmarks whose results are committed.
type Run struct {
	Name  string
	About string     // what is measured, and how long it takes
	Tests [][]string // arguments of go test, one list after another
}

// Runs are all of them. No graph of recovery and robust was used for tuning; tuning
// has graphs of its own, on which step size and edge penalty of the recipe
// maretic2017 are chosen.
var Runs = []Run{
	{
		"recovery", "recovered edges and codes, for the README: a minute",
		[][]string{{"-bench", "^BenchmarkRecovery$", "-benchtime", "20x", "./learn"}},
	},
	{
		"robust", "noise, missing values and unknown models: about twenty minutes",
		[][]string{{"-bench", "^BenchmarkRobust$", "-benchtime", "1x", "./learn"}},
	},
	{
		"tuning", "the grid search behind the recipe maretic2017: four minutes",
		[][]string{{"-bench", "^BenchmarkTune$", "-benchtime", "1x", "./learn"}},
	},
	{
		"performance", "speed and memory: about twenty minutes, best on an idle machine",
		[][]string{
			{"-v", "-cpu", "2", "-bench", "^Benchmark(Peak|Product|Eigen)$", "-skip", "/././by=QL", "./internal/linalg"},
			{"-v", "-cpu", "2", "-bench", "^Benchmark(AgainstReference|Performance|BothWays|Sizes|Memory)$", "-benchtime", "1x", "./learn"},
			{"-v", "-cpu", "2", "-bench", "^Benchmark(ManySignals|Command)$", "-benchtime", "1x", "."},
			{"-v", "-cpu", "1", "-bench", "^Benchmark(GlassoPeers|Choosing)$", "-benchtime", "1x", "./baseline"},
		},
	},
}

// File is the path in the repository of the results of a run.
func File(run string) string { return "docs/results/" + run + ".txt" }

// Measure runs the benchmarks of the checkout at root and shows what they print as
// they go. The file of results is replaced when all of it is there.
func (r Run) Measure(ctx context.Context, root string, show io.Writer) error {
	var kept strings.Builder
	for _, args := range r.Tests {
		if err := r.test(ctx, root, args, show, &kept); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	path := filepath.Join(root, File(r.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(kept.String()), 0o644)
}

func (r Run) test(ctx context.Context, root string, args []string, show io.Writer, kept *strings.Builder) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-run", "^$", "-timeout", "0"}, args...)...)
	var out strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, io.MultiWriter(show, &out), show
	err := cmd.Run()
	keep(out.String(), kept)
	return err
}

// resultOrSetting is a line of the benchmark format, without the words around it.
var resultOrSetting = regexp.MustCompile(`^((goos|goarch|pkg|cpu): |Benchmark\S+\s+[0-9])`)

// keep keeps the lines in the benchmark format.
func keep(text string, kept *strings.Builder) {
	for line := range strings.Lines(text) {
		if resultOrSetting.MatchString(line) {
			kept.WriteString(line)
		}
	}
}

// Results are what benchmarks measured: name → unit → value, with the iterations
// as unit "N".
type Results map[string]map[string]float64

// resultLine is a line of Go's benchmark format: name, iterations, then pairs of
// value and unit. Go adds the number of threads to the name.
var resultLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+(\d+)\s+(.*)$`)

// Parse reads results in Go's benchmark format; other lines are passed over.
func Parse(text string) (Results, error) {
	all := Results{}
	for line := range strings.Lines(text) {
		m := resultLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		fields := append([]string{m[2], "N"}, strings.Fields(m[3])...)
		values := map[string]float64{}
		for k := 0; k+1 < len(fields); k += 2 {
			v, err := strconv.ParseFloat(fields[k], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m[1], err)
			}
			values[fields[k+1]] = v
		}
		all[m[1]] = values
	}
	return all, nil
}

// Read reads a file of results. There are none in a file that does not exist yet.
func Read(path string) (Results, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return Results{}, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}
