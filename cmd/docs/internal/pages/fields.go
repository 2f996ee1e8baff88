package pages

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/fields"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// fieldTables has what comes of fields whose graph is known.
func fieldTables(root string, p *page) ([]File, error) {
	records, err := fields.ReadRecords(filepath.Join(root, fields.Results))
	p.fillTables(tablesOfFields(records))
	large, wrong := sizeRecords(root)
	p.fillTable("order two", fieldsOfOrderTwo(large))
	return nil, errors.Join(err, wrong)
}

func tablesOfFields(records []fields.Record) map[string]experiment.Table {
	return map[string]experiment.Table{
		"summary":  fieldSummary(records),
		"graphs":   fieldGraphs(records),
		"sizes":    fieldSizes(records),
		"spectra":  fieldSpectra(records),
		"networks": networksTable(records),
		"sets":     fieldSets(records),
	}
}

// The settings of the summary: those that are large enough for the kernel to matter, with
// as many signals as people have.
const (
	usualTimes  = 10
	leastFields = 100
)

// A fieldTally is the means over some fields or sets.
type fieldTally struct {
	f1, precision, recall, ggl, known []float64
	right, sure, sureTrue             int
	seconds                           map[int][]float64 // by the size of the fields
}

// tally takes the fields of some settings together.
func tally(records []fields.Record, of func(fields.Setting) bool) fieldTally {
	t := fieldTally{seconds: map[int][]float64{}}
	for _, r := range records {
		if r.Set != "" || !of(r.Setting) {
			continue
		}
		t.add(r)
		t.known = append(t.known, r.KnownF1())
		t.seconds[r.Size] = append(t.seconds[r.Size], r.Default.Seconds)
		if r.Chosen {
			t.right++
		}
	}
	return t
}

func (t *fieldTally) add(r fields.Record) {
	t.f1, t.ggl = append(t.f1, r.F1(r.Default)), append(t.ggl, r.F1(r.GGL))
	t.precision, t.recall = append(t.precision, r.Default.Precision()), append(t.recall, r.Recall(r.Default))
	t.sure += r.Default.Sure
	t.sureTrue += r.Default.SureTrue
}

func noiseShare(noise float64) string { return fmt.Sprintf("%g %%", 100*noise) }

// fieldSummary has a row for each kernel and noise.
func fieldSummary(records []fields.Record) experiment.Table {
	table := experiment.Table{
		Title: fmt.Sprintf("Simulated fields, %d signals for each vertex, %d and %d vertices: means over graphs and seeds", usualTimes, fields.Sizes[1], fields.Sizes[2]),
		Header: []string{
			"kernel", "noise", "fields", "kernel right", "F1", "precision", "recall", "F1 of `ggl`", "F1, all known", "sure edges", "of these true",
			fmt.Sprintf("CPU s, N = %d", fields.Sizes[1]), fmt.Sprintf("CPU s, N = %d", fields.Sizes[2]),
		},
		Notes: []string{
			"F1, precision and recall are those of `nervure learn` with nothing but the file. `ggl` was the default of version 0.2. All known: the true kernel and the true number of edges are given.",
			"Kernel right: it is the nearest of the four, or held-out signals are as likely by it as by the true one, within a standard error.",
			"Sure edges: those with confidence 0.9 or more. CPU seconds include the choice of method and kernel, the structure test and the confidence.",
		},
	}
	for _, kernel := range fields.Kernels {
		for _, noise := range fields.Noises {
			t := tally(records, func(s fields.Setting) bool {
				return s.Kernel == kernel && s.Noise == noise && s.Times == usualTimes && s.Size >= leastFields
			})
			if len(t.f1) == 0 {
				continue
			}
			table.Rows = append(table.Rows, []string{
				kernel, noiseShare(noise), whole(len(t.f1)), part(t.right, len(t.f1)), hundredths(mean(t.f1)), hundredths(mean(t.precision)), hundredths(mean(t.recall)),
				hundredths(mean(t.ggl)), hundredths(mean(t.known)), whole(t.sure), part(t.sureTrue, t.sure), t.time(fields.Sizes[1]), t.time(fields.Sizes[2]),
			})
		}
	}
	return table
}

// time is the mean time of fields of a size.
func (t fieldTally) time(size int) string {
	if len(t.seconds[size]) == 0 {
		return unmeasured
	}
	return digits(mean(t.seconds[size]))
}

// three are the scores with nothing given, of ggl, and with all known.
func (t fieldTally) three() string {
	if len(t.f1) == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%s / %s / %s", hundredths(mean(t.f1)), hundredths(mean(t.ggl)), hundredths(mean(t.known)))
}

// fieldGraphs has a row for each graph and noise, and a column for each kernel.
func fieldGraphs(records []fields.Record) experiment.Table {
	table := experiment.Table{
		Title:  fmt.Sprintf("By graph, %d vertices, %d signals for each: F1 with nothing given / of `ggl` / with all known", leastFields, usualTimes),
		Header: append([]string{"graph", "noise"}, fields.Kernels...),
	}
	for _, g := range fields.Graphs {
		for _, noise := range fields.Noises {
			table.Rows = addKernels(table.Rows, []string{g, noiseShare(noise)}, records, func(s fields.Setting) bool {
				return s.Graph == g && s.Noise == noise && s.Times == usualTimes && s.Size == leastFields
			})
		}
	}
	return table
}

// fieldSizes has a row for each size, number of signals and noise.
func fieldSizes(records []fields.Record) experiment.Table {
	table := experiment.Table{
		Title:  "By size: F1 with nothing given / of `ggl` / with all known",
		Header: append([]string{"N", "M", "noise"}, fields.Kernels...),
		Notes:  []string{fmt.Sprintf("Means over %s. A grid has the nearest square number of vertices.", strings.Join(fields.Graphs, ", "))},
	}
	for _, size := range fields.Sizes {
		for _, times := range fields.Times {
			for _, noise := range fields.Noises {
				table.Rows = addKernels(table.Rows, []string{whole(size), fmt.Sprintf("%d N", times), noiseShare(noise)}, records, func(s fields.Setting) bool {
					return s.Size == size && s.Times == times && s.Noise == noise
				})
			}
		}
	}
	return table
}

// addKernels adds a row with the scores for each kernel, if there are any.
func addKernels(rows [][]string, labels []string, records []fields.Record, of func(fields.Setting) bool) [][]string {
	measured := false
	for _, kernel := range fields.Kernels {
		t := tally(records, func(s fields.Setting) bool { return s.Kernel == kernel && of(s) })
		measured = measured || len(t.f1) > 0
		labels = append(labels, t.three())
	}
	if !measured {
		return rows
	}
	return append(rows, labels)
}

// fieldSpectra has a row for each spectrum that is no kernel of the summary, and noise.
func fieldSpectra(records []fields.Record) experiment.Table {
	table := experiment.Table{
		Title:  fmt.Sprintf("Other spectra, %d vertices, %d signals for each", leastFields, usualTimes),
		Header: []string{"spectrum", "noise", "fields", "kernels taken", "F1", "lowest", "F1 of `ggl`", "F1, all known", "sure edges", "of these true"},
		Notes:  []string{fmt.Sprintf("Means over %s. A sum with + has half of the energy of each kernel; one with = has equal variances at the median frequency. Lowest: the F1 of the field on which it is lowest. All known: `ggl` on the root by the true spectrum and noise, with the true number of edges.", strings.Join(fields.Graphs, ", "))},
	}
	for _, spectrum := range fields.Spectra {
		for _, noise := range fields.Noises {
			of := func(s fields.Setting) bool { return s.Kernel == spectrum && s.Noise == noise }
			t := tally(records, of)
			if len(t.f1) == 0 {
				continue
			}
			counts := map[string]int{}
			for _, r := range records {
				if of(r.Setting) {
					counts[r.Default.Kernel]++
				}
			}
			var taken []string
			for _, kernel := range slices.Sorted(maps.Keys(counts)) {
				taken = append(taken, fmt.Sprintf("%s (%d)", kernel, counts[kernel]))
			}
			table.Rows = append(table.Rows, []string{
				spectrum, noiseShare(noise), whole(len(t.f1)), strings.Join(taken, ", "), hundredths(mean(t.f1)), hundredths(slices.Min(t.f1)),
				hundredths(mean(t.ggl)), hundredths(mean(t.known)), whole(t.sure), part(t.sureTrue, t.sure),
			})
		}
	}
	return table
}

// fieldOf returns the record of a set, nil if it was not measured.
func fieldOf(records []fields.Record, set string) *fields.Record {
	k := slices.IndexFunc(records, func(r fields.Record) bool { return r.Set == set })
	if k < 0 {
		return nil
	}
	return &records[k]
}

// learned names the method of an outcome, and its kernel.
func learned(o fields.Outcome) string {
	if o.Kernel == "" {
		return o.Method
	}
	return o.Method + ", " + o.Kernel
}

// networksTable has a row for each power grid and water network, and one for all.
func networksTable(records []fields.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Power grids and water networks, nothing given",
		Header: []string{"network", "what", "N", "M", "edges", "learned by", "F1", "precision", "recall", "F1 of `ggl`", "sure edges", "of these true", "CPU s"},
	}
	var all fieldTally
	for _, s := range fields.Networks {
		r := fieldOf(records, s.Name)
		if r == nil {
			continue
		}
		all.add(*r)
		o := r.Default
		table.Rows = append(table.Rows, []string{
			s.Name, s.Kind, whole(r.Vertices), whole(r.Signals), whole(r.Edges), learned(o), hundredths(r.F1(o)), hundredths(o.Precision()), hundredths(r.Recall(o)),
			hundredths(r.F1(r.GGL)), whole(o.Sure), part(o.SureTrue, o.Sure), digits(o.Seconds),
		})
	}
	if len(table.Rows) > 1 {
		table.Rows = append(table.Rows, []string{
			"mean", "", "", "", "", "", hundredths(mean(all.f1)), hundredths(mean(all.precision)), hundredths(mean(all.recall)), hundredths(mean(all.ggl)), whole(all.sure), part(all.sureTrue, all.sure), "",
		})
	}
	return table
}

// fieldSets has a row for each measured set, and one for all simulated scans.
func fieldSets(records []fields.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Measured sets, nothing given",
		Header: []string{"set", "N", "M", "learned by", "score", "of `ggl`", "sure edges", "of these true", "CPU s"},
		Notes:  []string{"Score: F1, or the share of edges inside groups for animals and stocks. The sets are those of [real data](real-data.md), here without the flags that a user would give; netsim are simulated brain scans, whose fields are of order one."},
	}
	for _, s := range realdata.Sets {
		if r := fieldOf(records, s.Name); r != nil {
			o := r.Default
			table.Rows = append(table.Rows, []string{
				s.Name, whole(r.Vertices), whole(r.Signals), learned(o), hundredths(r.F1(o)), hundredths(r.F1(r.GGL)), whole(o.Sure), part(o.SureTrue, o.Sure), digits(o.Seconds),
			})
		}
	}
	var scans fieldTally
	for _, r := range records {
		if strings.HasPrefix(r.Set, fields.Scans+"/") {
			scans.add(r)
		}
	}
	if count := len(scans.f1); count > 0 {
		table.Rows = append(table.Rows, []string{
			fmt.Sprintf("%s, mean of %d", fields.Scans, count), "", "", "", hundredths(mean(scans.f1)), hundredths(mean(scans.ggl)), whole(scans.sure), part(scans.sureTrue, scans.sure), "",
		})
	}
	return table
}
