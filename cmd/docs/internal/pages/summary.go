package pages

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/forecast"
	"github.com/nervure/nervure/cmd/docs/internal/plans"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/docs/internal/recordings"
	"github.com/nervure/nervure/cmd/docs/internal/reliability"
	"github.com/nervure/nervure/cmd/docs/internal/sizes"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/words"
)

// measured is committed results of several measurements.
type measured struct {
	recovery    benchmark.Results
	calibrated  []experiment.Record
	sets        []realdata.Record
	sizes       []sizes.Record
	messy       []recordings.Record
	plans       []plans.Record
	forecasts   []forecast.Record
	reliability []reliability.Record
}

func readResults(root string) (e measured, err error) {
	at := func(name string) string { return filepath.Join(root, name) }
	for _, read := range []func() error{
		func() (err error) { e.recovery, err = benchmark.Read(at(benchmark.File("recovery"))); return err },
		func() (err error) {
			e.calibrated, err = experiment.ReadRecords(filepath.Join(at("docs/results"), experiment.Calibration))
			return err
		},
		func() (err error) { e.sets, err = realdata.ReadRecords(at(realdata.Results)); return err },
		func() (err error) { e.sizes, err = sizes.ReadRecords(at(sizes.Results)); return err },
		func() (err error) { e.messy, err = recordings.ReadRecords(at(recordings.Results)); return err },
		func() (err error) { e.plans, err = plans.ReadRecords(at(plans.Results)); return err },
		func() (err error) { e.forecasts, err = forecast.ReadRecords(at(forecast.Results)); return err },
		func() (err error) { e.reliability, err = reliability.ReadRecords(at(reliability.Results)); return err },
	} {
		if err := read(); err != nil {
			return e, err
		}
	}
	return e, nil
}

// summaryTable has the figures that matter of all pages, each with its command and its page.
func summaryTable(root string, p *page) ([]File, error) {
	e, err := readResults(root)
	if err != nil {
		return nil, err
	}
	table := experiment.Table{Title: "The figures that matter", Header: []string{"question", "answer", "measured by", "more"}}
	for _, row := range []struct {
		question, answer, command, more string
	}{
		{"Are synthetic graphs found, as in the paper?", recovered(e.recovery), "make recovery", "[the paper](paper.md#at-a-glance)"},
		{"Are measured graphs found?", measuredSets(e.sets), "make realdata DATA=directory", "[real data](real-data.md#other-data-sets)"},
		{"Where is it bad?", worstSets(e.sets), "make realdata DATA=directory", "[real data](real-data.md#other-data-sets)"},
		{"Are edges of confidence 0.9 or more true?", sureEdges(e.calibrated), "nervure reproduce calibration", "[confidence](method.md#confidence)"},
		{"What do broken sensors, cycles and gaps cost?", messyCost(e.messy), "make messy", "[recordings](recordings.md)"},
		{"How far off is a plan of how many signals it takes?", plansOff(e.plans), "make plans DATA=directory", "[plans](method.md#how-many-signals)"},
		{"Does a graph help to forecast?", forecastAnswer(e.forecasts), "make forecast DATA=directory", "[forecasts](cases.md#forecasts-along-a-graph)"},
		{"How large, how fast?", largest(e.sizes), "make sizes", "[time and memory](performance.md#fields-of-many-vertices)"},
		{"Does it break?", broken(e.reliability), "make reliability", "[reliability](reliability.md)"},
	} {
		if row.answer == "" {
			row.answer = unmeasured
		}
		table.Rows = append(table.Rows, []string{row.question, row.answer, "`" + row.command + "`", row.more})
	}
	p.fillTable("figures", table)
	return nil, nil
}

func recovered(all benchmark.Results) string {
	exact, graphs, least := 0., 0., 1.
	for _, row := range recoverySettings {
		r := all["Recovery/default/"+row.setting]
		exact, graphs, least = exact+r["certified"]*r["N"], graphs+r["N"], min(least, r["F1"])
	}
	return fmt.Sprintf("%.0f of %.0f exactly, and known to be so; lowest mean F1 %.4f", exact, graphs, least)
}

// measuredSets has the scores on the sets whose true graph is physical, beside the best of usual
// software, which is told the number of edges.
func measuredSets(list []realdata.Record) string {
	var parts []string
	for _, r := range list {
		s, _ := realdata.SetNamed(r.Set)
		if r.Set == "danube" || r.Set == "metr_la" || r.Set == "patches20" {
			parts = append(parts, fmt.Sprintf("%s (%s) %s, usual software %s", r.Set, s.Truth, hundredths(r.Of(realdata.Auto).Own), hundredths(s.Reference)))
		}
	}
	return "F1: " + strings.Join(parts, "; ")
}

// worstSets has the sets with the two lowest scores.
func worstSets(list []realdata.Record) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b realdata.Record) int {
		return int(1e6*a.Of(realdata.Auto).Own) - int(1e6*b.Of(realdata.Auto).Own)
	})
	var parts []string
	for _, r := range list[:min(2, len(list))] {
		s, _ := realdata.SetNamed(r.Set)
		parts = append(parts, fmt.Sprintf("%s (%s) %s, by chance %s", r.Set, s.Truth, hundredths(r.Of(realdata.Auto).Own), hundredths(r.Chance)))
	}
	return "F1: " + strings.Join(parts, "; ")
}

func sureEdges(list []experiment.Record) string {
	lines := strings.Split(strings.TrimSpace(experiment.Reliability(list)), "\n")[1:]
	worst := strings.Split(lines[0], ",")
	share, err := strconv.ParseFloat(worst[2], 64)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("at least %.0f %% in each of %d families of simulated signals; worst for %ss", 100*share, len(lines), worst[0])
}

func messyCost(list []recordings.Record) string {
	var clean, messy []float64
	for _, r := range recordings.Of(list, recordings.Sensors) {
		clean, messy = append(clean, r.Clean.F1), append(messy, r.Messy.F1)
	}
	if len(clean) == 0 {
		return ""
	}
	return fmt.Sprintf("F1 %s instead of %s, in the mean of %d recordings of 40 sensors", hundredths(mean(messy)), hundredths(mean(clean)), len(clean))
}

func plansOff(list []plans.Record) string {
	var all, sure []float64
	for _, r := range list {
		a, s := r.Errors()
		all, sure = append(all, a), append(sure, s)
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("the share of edges found is %s from the one predicted, that of sure edges %s, in the mean of %d plans", hundredths(mean(all)), hundredths(mean(sure)), len(all))
}

func forecastAnswer(list []forecast.Record) string {
	var parts []string
	for _, set := range forecast.Sets {
		r, found := forecast.Of(list, set.Name, forecast.Arrows, set.Ahead[0])
		none, _ := forecast.Of(list, set.Name, forecast.Alone, set.Ahead[0])
		if !found {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s: squared error %s beside %s with arrows, %s without a graph", set.Name, beside(r), set.Map, beside(none)))
	}
	return strings.Join(parts, "; ")
}

// largest is the most that was learned from by default, of the fields on grids.
func largest(list []sizes.Record) string {
	var most sizes.Record
	for _, r := range list {
		if r.Part == sizes.BySize && r.By == sizes.Default && r.Failed == "" && r.Graph == "grid" && !r.Signed && r.Vertices > most.Vertices {
			most = r
		}
	}
	if most.Vertices == 0 {
		return ""
	}
	return fmt.Sprintf("a grid of %s vertices from %s signals: %.0f s of processor time and %.0f MB, with confidence; F1 %s", words.Thousands(most.Vertices), words.Thousands(most.Signals), most.Seconds, most.Memory, hundredths(most.F1()))
}

func broken(list []reliability.Record) string {
	tried, faults := 0, 0
	for _, r := range list {
		tried, faults = tried+r.Tried, faults+r.Faults
	}
	if tried == 0 {
		return ""
	}
	return fmt.Sprintf("%s faults in %s attempts of %d kinds", words.Thousands(faults), words.Thousands(tried), len(list))
}
