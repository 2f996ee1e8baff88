package cohorts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// A Measurement says what to measure.
type Measurement struct {
	Seed uint64
	// Data is a directory with the studies of python/benchmarks/groups.py and what rivals made of them; empty for
	// none.
	Data string
	Tool string // the program, for its time; empty for none
	// Only are the words that what is measured has all of, such as "size N=50"; nil means all.
	Only []string
	// Missing leaves out what has a record already.
	Missing bool
	Threads int
	Log     io.Writer

	studies int // of each setting; zero means those of the committed results
}

// A job is something to measure, and how.
type job struct {
	record  Record // what is known beforehand
	measure func(ctx context.Context, r Record) (Record, error)
}

// Measure draws and compares, says what came of it, and writes it to a file of records, where others stay; to none
// if the path is empty.
func (m Measurement) Measure(ctx context.Context, results string) error {
	all, err := m.jobs()
	if err != nil {
		return err
	}
	jobs := make([]records.Job[Record], len(all))
	for k, j := range all {
		jobs[k] = records.Job[Record]{Name: j.record.name(), Record: j.record, Measure: func(ctx context.Context) (Record, string, error) {
			r, err := j.measure(ctx, j.record)
			return r, r.sentence(), err
		}}
	}
	return records.Work[Record]{Path: results, Missing: m.Missing, Log: m.Log, Check: Record.check, Order: order}.Do(ctx, jobs)
}

// jobs returns what was asked for.
func (m Measurement) jobs() ([]job, error) {
	var all []job
	for _, r := range sizeSettings() {
		all = append(all, job{r, m.size})
	}
	if m.Data != "" {
		for _, of := range []func() ([]job, error){m.powerJobs, m.poolJobs, m.timeJobs} {
			more, err := of()
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
	}
	all = slices.DeleteFunc(all, func(j job) bool { return !records.HasAll(j.record.words(), m.Only) })
	if len(all) == 0 {
		return nil, errors.New("nothing to measure has all these words")
	}
	return all, nil
}

// words are those that a part can be asked for by.
func (r Record) words() []string {
	words := append([]string{r.Part}, strings.Fields(r.Design)...)
	words = append(words, fmt.Sprintf("N=%d", r.Vertices), fmt.Sprintf("M=%d", r.Rows), fmt.Sprintf("AR=%g", r.AR), fmt.Sprintf("changes=%d", r.Changes))
	words = append(words, cmp.Or(r.By, "nervure"))
	if r.Study > 0 {
		words = append(words, fmt.Sprintf("study=%d", r.Study))
	}
	return words
}

func (r Record) name() string { return strings.Join(r.words(), " ") }

// sentence says what came of it.
func (r Record) sentence() string {
	of := func(count int) float64 { return 100 * float64(count) / float64(max(1, r.Studies)) }
	switch r.Part {
	case Pool:
		return fmt.Sprintf("%s: F1 %.3f, %d of %d edges right; %d at the true number; %.1f s", r.name(), r.F1(), r.Right, r.Drawn, r.AtTrue, r.Seconds)
	case Time:
		return fmt.Sprintf("%s: %.1f s", r.name(), r.Seconds)
	}
	return fmt.Sprintf("%s, %d studies: whole %.1f %%, strength %.1f %%, vertices %.1f %%, edges %.1f %% in error; of changed edges %.0f %% named, false discoveries %.1f %%; by p alone %.0f %%",
		r.name(), r.Studies, of(r.Whole), of(r.Strength), 100*r.VerticesP, 100*r.FalseP, 100*r.Found, 100*r.False, 100*r.FoundP)
}

// rounded keeps four digits.
func rounded(v float64) float64 { return math.Round(10_000*v) / 10_000 }
