package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/simulate"
)

// tablesOfRecordings are what comes of recordings as they are.
func tablesOfRecordings(records []row) map[string]experiment.Table {
	networks := where(records, in(measure.Sensors))
	return map[string]experiment.Table{
		"summary": messySummary(networks), "files": messyFiles.of(networks), "faults": messyFaults.of(faultsOf(networks)),
		"fmri": scans.of(records),
	}
}

// listed splits what stands with semicolons between.
func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "; ")
}

// A fault is a broken sensor, with what is wrong with it, and what was found to be.
type fault struct {
	kind  string
	found []string
}

func faults(r row) (all []fault) {
	for _, text := range listed(r.Text("broken")) {
		sensor, found, _ := strings.Cut(text, ": ")
		_, kind, _ := strings.Cut(sensor, ", ")
		f := fault{kind: kind}
		if found != "" {
			f.found = strings.Split(found, ", ")
		}
		all = append(all, f)
	}
	return all
}

func broken(r row) float64 { return float64(len(faults(r))) }

func brokenFound(r row) float64 {
	return float64(len(slices.DeleteFunc(faults(r), func(f fault) bool { return f.found == nil })))
}

func alarms(prefix string) value {
	return func(r row) float64 { return float64(len(listed(r.Text(prefix + "alarms")))) }
}

// messySummary has a column for what each mess comes to, all recordings taken together.
func messySummary(records []row) experiment.Table {
	var all []row
	for _, mess := range []string{"clean", "cycles", "messy", "known"} {
		all = append(all, derived(records, func(r row) experiment.Values {
			v := experiment.Values{"mess": mess, "f1": f1(mess + ".")(r), "clean": f1("clean.")(r), "alarms": r.Text(mess + ".alarms")}
			for _, key := range []string{"sure", "sure_true"} {
				v[key] = r.Number(mess + "." + key)
			}
			if mess != "messy" {
				v["broken"] = ""
			}
			return v
		})...)
	}
	lost := func(r row) float64 { return r.Number("clean") - r.Number("f1") }
	sureShare := func(r row) float64 {
		if r.Number("sure") == 0 {
			return 1 // nothing wrong was said
		}
		return r.Number("sure_true") / r.Number("sure")
	}
	sumOf := func(title string, v value) column {
		return column{title: title, cell: func(of []row) string { return whole(sum(of, v)) }}
	}
	t := transposed(spec{
		title: fmt.Sprintf("%d recordings of sensors", len(records)), by: []string{"mess"},
		columns: []column{
			label("", "mess"), average("F1, mean", hundredths, num("f1")), least("F1, least", hundredths, num("f1")),
			average("below clean, mean", hundredths, lost), most("below clean, most", hundredths, lost),
			total("edges with confidence 0.9 or more", "sure"), parts("of these true", num("sure_true"), num("sure")),
			least("of these true, worst recording", hundredths, sureShare),
			sumOf("broken sensors", broken), parts("of these found", brokenFound, broken),
			parts("sensors called broken that are", brokenFound, func(r row) float64 { return brokenFound(r) + alarms("")(r) }),
			sumOf("recordings with a false alarm", func(r row) float64 { return min(1, alarms("")(r)) }),
		},
		notes: []string{
			"Clean: the field alone. Cycles: with cycles, trends, gaps and rounding.",
			"Messy: with broken sensors as well.",
			"Known: the field wherever a value was recorded that is not at fault, for who knows all about the mess.",
			"Nobody can do better.",
			"Below clean: how much lower F1 is than that of the clean recording of the same seed.",
		},
	}.of(all))
	return t
}

var seed = text("seed", func(r row) string { return fmt.Sprint(r.Seed) })

// messyFiles has a line for each recording of sensors.
var messyFiles = spec{
	title: "Each recording",
	columns: []column{
		seed, label("true edges", "edges"), average("F1 clean", hundredths, f1("clean.")), average("F1 cycles", hundredths, f1("cycles.")),
		average("F1 messy", hundredths, f1("messy.")), average("F1 known", hundredths, f1("known.")), label("sure edges", "messy.sure"),
		label("of these true", "messy.sure_true"), average("broken", whole, broken), average("found", whole, brokenFound),
		average("false alarms", whole, alarms("messy.")), average("seconds", digits, num("messy.seconds")),
	},
	notes: []string{"Sure edges, sensors and seconds are those of the messy recording."},
}

// faultsOf has a record for each broken sensor, in the order of the kinds of faults.
func faultsOf(records []row) (all []row) {
	for _, kind := range simulate.FaultKinds() {
		for _, r := range records {
			for _, f := range faults(r) {
				if f.kind != string(kind) {
					continue
				}
				so := slices.Contains(f.found, f.kind)
				others := slices.DeleteFunc(slices.Clone(f.found), func(name string) bool { return name == f.kind })
				all = append(all, row{Values: experiment.Values{
					"fault": f.kind, "found": truthValue(f.found != nil), "so": truthValue(so), "others": strings.Join(others, ", "),
				}})
			}
		}
	}
	return all
}

func truthValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// messyFaults has a line for each kind of faults.
var messyFaults = spec{
	title: "Broken sensors by what is wrong with them", by: []string{"fault"},
	columns: []column{
		label("fault", "fault"), count("sensors"), total("found", "found"), total("called so", "so"),
		{title: "also called", cell: func(of []row) string {
			var names []string
			for _, r := range of {
				if r.Text("others") != "" {
					names = append(names, strings.Split(r.Text("others"), ", ")...)
				}
			}
			slices.Sort(names)
			return strings.Join(slices.Compact(names), ", ")
		}},
	},
}

// scans has a line for each fMRI-like recording.
var scans = spec{
	title: "fMRI-like recordings: F1",
	where: in(measure.FMRI),
	columns: []column{
		seed, label("true edges", "edges"), average("values", hundredths, f1("values.")), average("differences", hundredths, f1("differences.")),
		average("automatic choice", hundredths, f1("auto.")), average("below the better", hundredths, func(r row) float64 {
			return max(0, f1("values.")(r)-f1("auto.")(r), f1("differences.")(r)-f1("auto.")(r))
		}),
	},
}

// flickerLimit is the share of the stable edges that may change at a step.
const flickerLimit = 0.05

// changingTable has what the windows of graphs that change come to: a column for each series.
func changingTable(records []row) experiment.Table {
	number := func(title string, holds func(row) bool) column {
		return column{title: title, cell: func(of []row) string { return fmt.Sprint(len(where(of, holds))) }}
	}
	return transposed(spec{
		title: "Graphs that change at one moment", by: []string{"name"},
		columns: []column{
			label("vertices × observations of a window", "name"), count("series"),
			average("stable edges that change at a step, mean", percent, num("flicker")), most("in the worst series", percent, num("flicker")),
			most("at the worst step away from the moment", percent, num("away")), average("at the moment, mean", percent, num("at_moment")),
			most("at the moment, worst series", percent, num("at_moment")),
			number("series with 5 % or more at the moment", func(r row) bool { return r.Number("at_moment") >= flickerLimit }),
			average("without the prior, mean", percent, num("alone")),
			number("series in which most edges change at the moment", func(r row) bool { return r.Number("off") == 0 }),
			number("or at most two windows off", func(r row) bool { return r.Number("off") <= 2 }),
			average("changed pairs that show by the second window", percent, num("found")),
			average("F1, mean", hundredths, num("f1")), average("F1 without the prior, mean", hundredths, num("f1_alone")),
		},
		notes: []string{
			"Stable edges: those found between pairs that are joined before and after the moment, or neither.",
			"At the moment: at the worst of the steps within a window of it.",
			"Changed pairs: those joined before or after the moment only. An edge that goes counts if it was found.",
		},
	}.of(derived(where(records, in(measure.Changing)), func(r row) experiment.Values {
		name := fmt.Sprintf("%g × %g", r.Number("vertices"), r.Number("window"))
		if r.Number("step") < r.Number("window") {
			name += fmt.Sprintf(", a window every %g", r.Number("step"))
		}
		return experiment.Values{"name": name}
	})))
}
