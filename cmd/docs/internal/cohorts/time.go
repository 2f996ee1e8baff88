package cohorts

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

var timeCell = regexp.MustCompile(`n(\d+)-s(\d+)-m(\d+)-ar0-c(\d+)$`)

// timePermutations are those of the command that is timed.
const timePermutations = 1000

// timeJobs returns those of the studies with a file a subject in Data.
func (m Measurement) timeJobs() ([]job, error) {
	folders, err := filepath.Glob(filepath.Join(m.Data, "subjects", "n*-s*-m*-ar0-c*"))
	if err != nil {
		return nil, err
	}
	var all []job
	for _, folder := range folders {
		cell := timeCell.FindStringSubmatch(folder)
		if cell == nil {
			continue
		}
		var numbers [4]int
		for k, text := range cell[1:] {
			numbers[k], _ = strconv.Atoi(text)
		}
		r := Record{Setting: Setting{Part: Time, Vertices: numbers[0], Units: numbers[1], Rows: numbers[2], Changes: numbers[3]}, Permutations: timePermutations}
		all = append(all, job{r, func(ctx context.Context, r Record) (Record, error) {
			return m.time(ctx, filepath.Join(folder, "study-000"), r)
		}})
	}
	return all, nil
}

// time runs the command on a study.
func (m Measurement) time(ctx context.Context, folder string, r Record) (Record, error) {
	files, err := filepath.Glob(filepath.Join(folder, "s*.csv"))
	if err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp("", "nervure-groups-")
	if err != nil {
		return r, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	args := append([]string{"batch"}, files...)
	args = append(args, "--groups", filepath.Join(folder, "groups.csv"), "--by", "group", "--permutations", strconv.Itoa(timePermutations), "--out", filepath.Join(dir, "out"))
	cmd := exec.CommandContext(ctx, m.Tool, args...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return r, fmt.Errorf("%w: %s", err, said)
	}
	r.Seconds = rounded((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	return r, nil
}
