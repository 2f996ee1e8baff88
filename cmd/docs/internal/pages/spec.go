package pages

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A row is a record of a measurement.
type row = experiment.Record

// A spec says how records make a table.
type spec struct {
	title   string
	notes   []string
	where   func(row) bool // the records that it shows; nil means all
	by      []string       // records that agree in these values make a line; nil means that each makes one
	columns []column
	all     string // the first cell of a last line, of all records together; empty for none
}

// A column is a title, and what some records come to.
type column struct {
	title string
	cell  func(of []row) string
	each  bool // says nothing of all records together
}

// of is the table of some records.
func (s spec) of(records []row) experiment.Table {
	table := experiment.Table{Title: s.title, Notes: s.notes}
	for _, c := range s.columns {
		table.Header = append(table.Header, c.title)
	}
	some := where(records, s.where)
	for _, line := range grouped(some, s.by) {
		table.Rows = append(table.Rows, s.line(line, false))
	}
	if s.all != "" && len(some) > 1 {
		table.Rows = append(table.Rows, s.line(some, true))
	}
	return table
}

func (s spec) line(of []row, all bool) (cells []string) {
	for k, c := range s.columns {
		switch {
		case all && k == 0:
			cells = append(cells, s.all)
		case all && c.each:
			cells = append(cells, "")
		default:
			cells = append(cells, c.cell(of))
		}
	}
	return cells
}

// transposed has a column for each line of a table, by its first cell.
func transposed(t experiment.Table) experiment.Table {
	lines := append([][]string{t.Header}, t.Rows...)
	t.Rows = nil
	for k := range t.Header {
		var line []string
		for _, of := range lines {
			line = append(line, of[k])
		}
		t.Rows = append(t.Rows, line)
	}
	t.Header, t.Rows = t.Rows[0], t.Rows[1:]
	if len(lines) == 1 {
		t.Rows = nil
	}
	return t
}

// where returns the records for which something holds.
func where(records []row, holds func(row) bool) []row {
	if holds == nil {
		return records
	}
	return slices.DeleteFunc(slices.Clone(records), func(r row) bool { return !holds(r) })
}

// grouped puts records together that agree in some values, in the order of these: numbers rise, and texts
// are in the order of their list or, if they have none, in that in which they come.
func grouped(records []row, by []string) (groups [][]row) {
	if by == nil {
		for _, r := range records {
			groups = append(groups, []row{r})
		}
		return groups
	}
	sorted := slices.Clone(records)
	for _, key := range slices.Backward(by) {
		list := slices.Clone(orders[key])
		for _, r := range records {
			list = append(list, r.Text(key))
		}
		slices.SortStableFunc(sorted, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.Number(key), b.Number(key)), cmp.Compare(slices.Index(list, a.Text(key)), slices.Index(list, b.Text(key))))
		})
	}
	place := map[string]int{}
	for _, r := range sorted {
		name := ""
		for _, key := range by {
			name += fmt.Sprint(r.Values[key], "|")
		}
		if _, seen := place[name]; !seen {
			place[name] = len(groups)
			groups = append(groups, nil)
		}
		groups[place[name]] = append(groups[place[name]], r)
	}
	return groups
}

// orders are those of texts.
var orders = map[string][]string{
	"graph":  measure.SizedGraphs,
	"kernel": slices.Concat(measure.Kernels, measure.Spectra),
	"by": {
		measure.Default, measure.WithoutConfidence, measure.Local, measure.QUIC, measure.BigQUIC, measure.BigQUICChosen, measure.SKLearn,
		measure.SKLearnChosen, measure.Tool, measure.Majority, measure.Separate, measure.Stacked, measure.Nilearn, measure.NCT,
	},
}

// has holds for records with a label, and in for those of a stage.
func has(key string, value any) func(row) bool {
	return func(r row) bool { return r.Values[key] == value }
}

func in(stage string) func(row) bool { return func(r row) bool { return r.Stage == stage } }

// both holds if all of some do.
func both(all ...func(row) bool) func(row) bool {
	return func(r row) bool {
		return !slices.ContainsFunc(all, func(holds func(row) bool) bool { return !holds(r) })
	}
}

// only restricts columns to some of the records of a line.
func only(holds func(row) bool, columns ...column) (list []column) {
	for _, c := range columns {
		list = append(list, column{c.title, func(of []row) string {
			if of = where(of, holds); len(of) == 0 {
				return unmeasured
			}
			return c.cell(of)
		}, c.each})
	}
	return list
}

// A value is a number of a record.
type value = func(row) float64

func num(key string) value { return func(r row) float64 { return r.Number(key) } }

// per is one number over another, of the same record.
func per(of, by value) value { return func(r row) float64 { return of(r) / by(r) } }

// f1 is that of edges; or their share inside groups, where no true edges are known.
func f1(prefix string) value {
	return func(r row) float64 {
		right, found, edges := r.Number(prefix+"right"), r.Number(prefix+"found"), r.Number("edges")
		if edges == 0 {
			return right / max(found, 1)
		}
		return 2 * right / (found + edges)
	}
}

// precision is the share of the edges found that are right; one if there are none.
func precision(prefix string) value {
	return func(r row) float64 {
		if r.Number(prefix+"found") == 0 {
			return 1
		}
		return r.Number(prefix+"right") / r.Number(prefix+"found")
	}
}

func recall(prefix string) value { return per(num(prefix+"right"), num("edges")) }

// valuesOf are the numbers of records that have them.
func valuesOf(of []row, v value) (list []float64) {
	for _, r := range of {
		if x := v(r); !math.IsNaN(x) {
			list = append(list, x)
		}
	}
	return list
}

func sum(of []row, v value) (total float64) {
	for _, x := range valuesOf(of, v) {
		total += x
	}
	return total
}

func mean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// label is a value on which the records of a line agree, and single that of a line of one record.
func label(title, key string) column {
	return column{title, func(of []row) string { return plain(of[0].Values[key]) }, true}
}

func single(title, key string) column {
	return column{title, func(of []row) string {
		if len(of) > 1 {
			return ""
		}
		return label(title, key).cell(of)
	}, true}
}

// labels are labels named by their keys.
func labels(pairs ...string) (list []column) {
	for k := 0; k < len(pairs); k += 2 {
		list = append(list, label(pairs[k], pairs[k+1]))
	}
	return list
}

// summary is a number of all records of a line, in a form.
func summary(title string, form func(float64) string, of func([]float64) float64, v value) column {
	return column{title, func(rows []row) string {
		list := valuesOf(rows, v)
		if len(list) == 0 {
			return unmeasured
		}
		return form(of(list))
	}, false}
}

func average(title string, form func(float64) string, v value) column {
	return summary(title, form, mean, v)
}

func least(title string, form func(float64) string, v value) column {
	return summary(title, form, slices.Min[[]float64], v)
}

func most(title string, form func(float64) string, v value) column {
	return summary(title, form, slices.Max[[]float64], v)
}

// total is a sum, and count the number of records.
func total(title, key string) column {
	return column{title, func(of []row) string { return plain(sum(of, num(key))) }, false}
}

func count(title string) column {
	return column{title, func(of []row) string { return fmt.Sprint(len(of)) }, false}
}

// parts is how many of some there are in all records, and their share.
func parts(title string, some, of value) column {
	return column{title, func(rows []row) string { return part(int(sum(rows, some)), int(sum(rows, of))) }, false}
}

func one(row) float64 { return 1 }

// sureColumns are the edges that the tool is sure of, and those of them that are true.
var sureColumns = []column{
	total("sure edges", "default.sure"), parts("of these true", num("default.sure_true"), num("default.sure")),
}

// shares is a share of all records together, with three digits.
func shares(title string, some, of value) column {
	return column{title, func(rows []row) string { return thousandths(sum(rows, some) / max(sum(rows, of), 1)) }, false}
}

// texts are the different texts of a line.
func texts(title, key string) column {
	return column{title, func(of []row) string {
		seen := map[string]bool{}
		for _, r := range of {
			seen[r.Text(key)] = true
		}
		return strings.Join(slices.Sorted(maps.Keys(seen)), ", ")
	}, false}
}

// text is a cell of a line of one record.
func text(title string, cell func(row) string) column {
	return column{title, func(of []row) string { return cell(of[0]) }, true}
}

// derived returns records with values that are made of their own.
func derived(records []row, add func(row) experiment.Values) (list []row) {
	for _, r := range records {
		values := maps.Clone(r.Values)
		maps.Copy(values, add(r))
		r.Values = values
		list = append(list, r)
	}
	return list
}

// plain is a text, or a number with all its digits.
func plain(value any) string {
	if v, ok := value.(float64); ok {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// unmeasured stands where there is no number.
const unmeasured = "–"

func whole(v float64) string { return fmt.Sprintf("%.0f", v) }

// digits writes a positive number with three digits, or all before the point.
func digits(v float64) string {
	switch {
	case v == 0 || math.IsNaN(v) || math.IsInf(v, 0):
		return unmeasured
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func hundredths(v float64) string { return fmt.Sprintf("%.2f", v) }

func thousandths(v float64) string { return fmt.Sprintf("%.3f", v) }

func tenThousandths(v float64) string { return fmt.Sprintf("%.4f", v) }

// percent writes a share with a digit after the point, and wholePercent without.
func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

func wholePercent(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return unmeasured
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}

// part is how many of some, and their share.
func part(some, of int) string {
	if of == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%d (%s)", some, hundredths(float64(some)/float64(of)))
}
