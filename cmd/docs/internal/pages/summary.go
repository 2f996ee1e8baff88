package pages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/words"
)

// questions have the figures that matter of all pages, each with its command and its page. Their answers are made of
// the records of a measurement.
var questions = []struct {
	question, name  string
	answer          func([]row) string
	command, linked string
}{
	{"Are synthetic graphs found, as in the paper?", "recovery", recovered, "make recovery", "[the paper](paper.md#at-a-glance)"},
	{"Are measured graphs found?", "realdata", measuredSets, "make realdata DATA=directory", "[real data](real-data.md#other-data-sets)"},
	{"Where is it bad?", "realdata", worstSets, "make realdata DATA=directory", "[real data](real-data.md#other-data-sets)"},
	{
		"Are edges of confidence 0.9 or more true?", experiment.Calibration, sureEdges, "nervure reproduce calibration",
		"[confidence](method.md#confidence)",
	},
	{"What do broken sensors, cycles and gaps cost?", "messy", messyCost, "make messy", "[recordings](recordings.md)"},
	{
		"How far off is a plan of how many signals it takes?", "plan", plansOff, "make plans DATA=directory",
		"[plans](method.md#how-many-signals)",
	},
	{
		"Does a graph help to forecast?", "forecast", forecastAnswer, "make forecast DATA=directory",
		"[forecasts](cases.md#forecasts-along-a-graph)",
	},
	{"How large, how fast?", "sizes", largest, "make sizes", "[time and memory](performance.md#fields-of-many-vertices)"},
	{"Does it break?", "reliability", breaks, "make reliability", "[reliability](reliability.md)"},
}

// summaryTable has a line for each question.
func summaryTable(root string, p *page) ([]File, error) {
	table := experiment.Table{Title: "The figures that matter", Header: []string{"question", "answer", "measured by", "more"}}
	for _, q := range questions {
		records, _, err := measure.ReadBenchmarks(root, q.name)
		if err == nil && len(records) == 0 {
			records, err = measure.Read(root, q.name)
		}
		if err != nil {
			return nil, err
		}
		answer := unmeasured
		if len(records) > 0 {
			answer = q.answer(records)
		}
		table.Rows = append(table.Rows, []string{q.question, answer, "`" + q.command + "`", q.linked})
	}
	p.fillTable("figures", table)
	return nil, nil
}

func recovered(all []row) string {
	exact, graphs, lowest := 0., 0., 1.
	for _, setting := range recoverySettings {
		r := recoveryOf(all, "default", setting.setting)
		exact, graphs, lowest = exact+r.Number("certified")*r.Number("N"), graphs+r.Number("N"), min(lowest, r.Number("F1"))
	}
	return fmt.Sprintf("%.0f of %.0f exactly, and known to be so; lowest mean F1 %.4f", exact, graphs, lowest)
}

var ownScore = num(measure.Auto + ".own")

// measuredSets has the scores on the sets whose true graph is physical, beside the best of usual
// software, which is told the number of edges.
func measuredSets(list []row) string {
	var parts []string
	for _, r := range inOrder(list, []string{"danube", "metr_la", "patches20"}) {
		s := setOf(r)
		parts = append(parts, fmt.Sprintf("%s (%s) %s, usual software %s", s.Name, s.Truth, hundredths(ownScore(r)), hundredths(s.Reference)))
	}
	return "F1: " + strings.Join(parts, "; ")
}

// worstSets has the sets with the two lowest scores.
func worstSets(list []row) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b row) int { return int(1e6*ownScore(a)) - int(1e6*ownScore(b)) })
	var parts []string
	for _, r := range list[:min(2, len(list))] {
		s := setOf(r)
		parts = append(parts, fmt.Sprintf("%s (%s) %s, by chance %s", s.Name, s.Truth, hundredths(ownScore(r)), hundredths(r.Number("chance"))))
	}
	return "F1: " + strings.Join(parts, "; ")
}

func sureEdges(list []row) string {
	lines := strings.Split(strings.TrimSpace(experiment.Reliability(list)), "\n")[1:]
	worst := strings.Split(lines[0], ",")
	share, err := strconv.ParseFloat(worst[2], 64)
	if err != nil {
		return unmeasured
	}
	return fmt.Sprintf("at least %.0f %% in each of %d families of simulated signals; worst for %ss", 100*share, len(lines), worst[0])
}

func messyCost(list []row) string {
	networks := where(list, in(measure.Sensors))
	return fmt.Sprintf("F1 %s instead of %s, in the mean of %d recordings of 40 sensors",
		hundredths(mean(valuesOf(networks, f1("messy.")))), hundredths(mean(valuesOf(networks, f1("clean.")))), len(networks))
}

func plansOff(list []row) string {
	return fmt.Sprintf("the share of edges found is %s from the one predicted, that of sure edges %s, in the mean of %d plans",
		hundredths(mean(valuesOf(list, offBy("")))), hundredths(mean(valuesOf(list, offBy("sure_")))), len(list))
}

func forecastAnswer(list []row) string {
	var parts []string
	for _, set := range measure.Forecasts {
		some := where(list, has("set", set.Name))
		arrows, none := forecastOf(some, measure.Arrows, set.Ahead[0]), forecastOf(some, measure.Alone, set.Ahead[0])
		if len(arrows) > 0 && len(none) > 0 {
			parts = append(parts, fmt.Sprintf("%s: squared error %s beside %s with arrows, %s without a graph", set.Name,
				beside(arrows[0]), set.Map, beside(none[0])))
		}
	}
	return strings.Join(parts, "; ")
}

// largest is the most that was learned from by default, of the fields on grids.
func largest(list []row) string {
	grids := where(list, both(in(measure.BySize), has("by", measure.Default), has("graph", "grid"), has("signed", 0.0)))
	if len(grids) == 0 {
		return unmeasured
	}
	most := slices.MaxFunc(grids, func(a, b row) int { return int(a.Number("vertices") - b.Number("vertices")) })
	return fmt.Sprintf("a grid of %s vertices from %s signals: %.0f s of processor time and %.0f MB, with confidence; F1 %s",
		words.Thousands(int(most.Number("vertices"))), words.Thousands(int(most.Number("signals"))), most.Seconds, most.Number("memory"), hundredths(f1("")(most)))
}

func breaks(list []row) string {
	return fmt.Sprintf("%s faults in %s attempts of %d kinds",
		words.Thousands(int(sum(list, num("faults")))), words.Thousands(int(sum(list, num("tried")))), len(list))
}
