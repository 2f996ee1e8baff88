package cohorts

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/study"
)

// NCT is the R package that compares two groups of people.
const NCT = "NetworkComparisonTest"

var powerCell = regexp.MustCompile(`n(\d+)-m(\d+)-c(\d+)$`)

// powerJobs returns those of the studies of Data that NetworkComparisonTest has compared: it and this tool compare
// the same ones.
func (m Measurement) powerJobs() ([]job, error) {
	folders, err := filepath.Glob(filepath.Join(m.Data, "rows", "n*-m*-c*"))
	if err != nil {
		return nil, err
	}
	var all []job
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
		var numbers [3]int
		for k, text := range powerCell.FindStringSubmatch(folder)[1:] {
			numbers[k], _ = strconv.Atoi(text)
		}
		cell := powerStudies{folder, tests, truth}
		r := Record{Setting: Setting{Part: Power, Vertices: numbers[0], Rows: numbers[1], Changes: numbers[2]}, Studies: len(tests), Permutations: Permutations}
		all = append(all, job{r, cell.compare})
		r.By = NCT
		all = append(all, job{r, cell.read})
	}
	return all, nil
}

// powerStudies are those of a cell.
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
func (s powerStudies) compare(ctx context.Context, r Record) (Record, error) {
	var found []outcome
	for _, test := range s.tests {
		set, err := dataio.ReadSignals(filepath.Join(s.folder, test["study"]+".csv"), dataio.ReadOptions{Labels: []string{"group"}})
		if err != nil {
			return r, err
		}
		before, err := run.CPUTime()
		if err != nil {
			return r, err
		}
		c, err := compareRows(ctx, set, nervure.Options{Threads: 1, Method: baseline.GGM{}, Structure: nervure.No})
		if err != nil {
			return r, fmt.Errorf("%s: %w", test["study"], err)
		}
		after, err := run.CPUTime()
		if err != nil {
			return r, err
		}
		r.Seconds += (after - before).Seconds() / float64(len(s.tests))
		found = append(found, outcomeOf(c, s.changed(test["study"])))
	}
	r.Seconds = rounded(r.Seconds)
	r.sum(found)
	return r, nil
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
func (s powerStudies) read(_ context.Context, r Record) (Record, error) {
	edges, err := table(filepath.Join(s.folder, "nct-0.5-edges.csv"))
	if err != nil {
		return r, err
	}
	pairs := map[string][]pair{}
	for _, row := range edges {
		p, q, err := two(row["p"], row["q"])
		if err != nil {
			return r, err
		}
		pairs[row["study"]] = append(pairs[row["study"]], pair{between(row["source"], row["target"]), p, q})
	}
	var found []outcome
	for _, test := range s.tests {
		whole, strength, err := two(test["maximum"], test["strength"])
		if err != nil {
			return r, err
		}
		seconds, err := strconv.ParseFloat(test["seconds"], 64)
		if err != nil {
			return r, err
		}
		r.Seconds += seconds / float64(len(s.tests))
		o := outcome{whole: whole <= level, strength: strength <= level}
		o.score(pairs[test["study"]], s.changed(test["study"]))
		found = append(found, o)
	}
	r.Seconds = rounded(r.Seconds)
	r.sum(found)
	return r, nil
}

func two(a, b string) (x, y float64, err error) {
	if x, err = strconv.ParseFloat(a, 64); err == nil {
		y, err = strconv.ParseFloat(b, 64)
	}
	return x, y, err
}

// table reads a table, a map from column to cell for each row.
func table(path string) ([]map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	var all []map[string]string
	for _, row := range rows[1:] {
		cells := map[string]string{}
		for k, name := range rows[0] {
			cells[name] = row[k]
		}
		all = append(all, cells)
	}
	return all, nil
}
