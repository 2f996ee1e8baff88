package measure

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/study"
)

// The stages of the measurement of groups.
const (
	Size  = "size"  // tests of simulated groups of subjects
	Power = "power" // tests of two groups of people, a row each, beside NetworkComparisonTest
	Pool  = "pool"  // the graph that subjects have in common
	Time  = "time"  // of the command
)

// Who compares and learns besides this tool.
const (
	Tool = "nervure"
	NCT  = "NetworkComparisonTest" // the R package that compares two groups of people
)

// groupStages draw what is tested; the others need the studies of python/benchmarks/groups.py, and what other
// programs have made of them.
func groupStages(o Options) ([]experiment.Stage, error) {
	var tests []Cell
	for _, c := range cohorts() {
		measure := func(ctx context.Context, seed uint64) (Values, error) {
			return c.measure(ctx, seed, c.studies(), o.Threads)
		}
		tests = append(tests, cell(measure, c.labels()...))
	}
	stages := []experiment.Stage{{Name: Size, Seeds: experiment.Seeds{First: 3301, Count: 1}, Cells: tests}}
	if o.Data == "" {
		return stages, nil
	}
	for _, part := range []struct {
		name  string
		cells func(Options) ([]Cell, error)
	}{{Power, powerCells}, {Pool, poolCells}, {Time, timeCells}} {
		list, err := part.cells(o)
		if err != nil {
			return nil, err
		}
		stages = append(stages, experiment.Stage{Name: part.name, Seeds: once, Cells: list})
	}
	return stages, nil
}

// powerCells are those of the studies that NetworkComparisonTest has compared: it and this tool compare the same.
func powerCells(o Options) (list []Cell, err error) {
	folders, err := filepath.Glob(filepath.Join(o.Data, "rows", "n*-m*-c*"))
	for _, folder := range folders {
		tests, err := table(filepath.Join(folder, "nct-0.5.csv"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		truth, err := table(filepath.Join(folder, "truth.csv"))
		if err != nil {
			return nil, err
		}
		var n, m, changes int
		if _, err := fmt.Sscanf(filepath.Base(folder), "n%d-m%d-c%d", &n, &m, &changes); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		s := powerStudies{folder, tests, truth}
		for by, measure := range map[string]func(context.Context, uint64) (Values, error){Tool: s.compare, NCT: s.read} {
			list = append(list, cell(measure, experiment.Amount("vertices", n), experiment.Amount("rows", m),
				experiment.Amount("changes", changes), experiment.Text("by", by)))
		}
	}
	return list, err
}

// powerStudies are those of a folder.
type powerStudies struct {
	folder       string
	tests, truth []map[string]string
}

// changed returns the pairs that differ in a study.
func (s powerStudies) changed(of string) (all [][2]int) {
	for _, row := range s.truth {
		if row["study"] == of {
			all = append(all, between(row["source"], row["target"]))
		}
	}
	return all
}

// between returns two vertices, whose names are v0, v1 and so on, in order.
func between(source, target string) [2]int {
	i, _ := strconv.Atoi(source[1:])
	j, _ := strconv.Atoi(target[1:])
	return [2]int{min(i, j), max(i, j)}
}

// compare lets this tool compare the groups.
func (s powerStudies) compare(ctx context.Context, _ uint64) (Values, error) {
	var found []tested
	seconds := 0.0
	for _, test := range s.tests {
		set, err := dataio.ReadSignals(filepath.Join(s.folder, test["study"]+".csv"), dataio.ReadOptions{Labels: []string{"group"}})
		if err != nil {
			return nil, err
		}
		took, err := cpuSeconds(func() error {
			c, err := compareRows(ctx, set, nervure.Options{Threads: 1, Method: baseline.GGM{}, Structure: nervure.No})
			if err == nil {
				found = append(found, testedOf(c, s.changed(test["study"])))
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", test["study"], err)
		}
		seconds += took / float64(len(s.tests))
	}
	v := sum(found)
	v["seconds"] = rounded(seconds)
	return v, nil
}

// compareRows compares groups as learn --by does. The test does not depend on the method by which the graphs are
// learned.
func compareRows(ctx context.Context, set *nervure.Signals, by nervure.Options) (*groups.Comparison, error) {
	found, err := study.LearnGroups(ctx, set, study.GroupOptions{Grouping: study.Grouping{By: "group", Permutations: Permutations}, Learn: by})
	if err != nil {
		return nil, err
	}
	return found.Test, nil
}

// read reads what NetworkComparisonTest says.
func (s powerStudies) read(context.Context, uint64) (Values, error) {
	edges, err := table(filepath.Join(s.folder, "nct-0.5-edges.csv"))
	if err != nil {
		return nil, err
	}
	pairs := map[string][]pair{}
	for _, row := range edges {
		x, err := numbers(row, "p", "q")
		if err != nil {
			return nil, err
		}
		pairs[row["study"]] = append(pairs[row["study"]], pair{between(row["source"], row["target"]), x[0], x[1]})
	}
	var found []tested
	seconds := 0.0
	for _, test := range s.tests {
		x, err := numbers(test, "maximum", "strength", "seconds")
		if err != nil {
			return nil, err
		}
		seconds += x[2] / float64(len(s.tests))
		o := tested{whole: x[0] <= level, strength: x[1] <= level}
		o.score(pairs[test["study"]], s.changed(test["study"]))
		found = append(found, o)
	}
	v := sum(found)
	v["seconds"] = rounded(seconds)
	return v, nil
}

// numbers reads cells of a row.
func numbers(row map[string]string, names ...string) ([]float64, error) {
	list := make([]float64, len(names))
	for k, name := range names {
		x, err := strconv.ParseFloat(row[name], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list[k] = x
	}
	return list, nil
}

// timePermutations are those of the command that is timed.
const timePermutations = 1000

// timeCells are those of the studies with a file a subject.
func timeCells(o Options) (list []Cell, err error) {
	folders, err := filepath.Glob(filepath.Join(o.Data, "subjects", "n*-s*-m*-ar0-c*"))
	for _, folder := range folders {
		var n, units, m, changes int
		if _, err := fmt.Sscanf(filepath.Base(folder), "n%d-s%d-m%d-ar0-c%d", &n, &units, &m, &changes); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		list = append(list, cell(func(ctx context.Context, _ uint64) (Values, error) {
			return timed(ctx, o.Tool, filepath.Join(folder, "study-000"))
		}, experiment.Amount("vertices", n), experiment.Amount("rows", m), experiment.Amount("units", units), experiment.Amount("changes", changes)))
	}
	return list, err
}

// timed runs the command on a study.
func timed(ctx context.Context, tool, folder string) (Values, error) {
	files, err := filepath.Glob(filepath.Join(folder, "s*.csv"))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "nervure-groups-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	args := append(append([]string{"batch"}, files...), "--groups", filepath.Join(folder, "groups.csv"), "--by", "group",
		"--permutations", strconv.Itoa(timePermutations), "--out", filepath.Join(dir, "out"))
	cmd := exec.CommandContext(ctx, tool, args...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	seconds := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return Values{"permutations": float64(timePermutations), "seconds": rounded(seconds.Seconds())}, nil
}

// readNilearn reads what nilearn has done with a study.
func readNilearn(row map[string]string) (Values, error) {
	x, err := numbers(row, "edges", "found", "f1", "f1_true_count", "seconds")
	if err != nil {
		return nil, err
	}
	return Values{
		"edges": x[0], "found": x[1], "right": math.Round(x[2] * (x[0] + x[1]) / 2), "at_true": math.Round(x[3] * x[0]), "seconds": rounded(x[4]),
	}, nil
}
