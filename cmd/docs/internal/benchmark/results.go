// Package benchmark reads what Go's benchmarks print, and runs those whose results
// are committed.
package benchmark

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

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
