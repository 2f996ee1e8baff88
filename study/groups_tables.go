package study

import (
	"github.com/nervure/nervure/groups"
)

// Differences returns the table of all pairs, the clearest differences first.
func (g *Groups) Differences() [][]string {
	table := [][]string{append(append([]string{"source", "target"}, g.valueHeader()...), "p", "p_any", "q")}
	for _, e := range g.ranked() {
		row := append([]string{g.Names[e.I], g.Names[e.J]}, valueCells(e.Effects)...)
		table = append(table, append(row, number(e.P), number(e.PAny), number(e.Q)))
	}
	return table
}

func (g *Groups) vertices() [][]string {
	table := [][]string{append(append([]string{"vertex"}, g.valueHeader()...), "p_strength", "p", "q")}
	for _, v := range g.Test.Vertices {
		row := append([]string{g.Names[v.Vertex]}, valueCells(v.Strength)...)
		table = append(table, append(row, number(v.Strength.P), number(v.P), number(v.Q)))
	}
	return table
}

// valueHeader names the columns of a value: its mean in each group, each difference with its interval and
// size in standard deviations, and the statistic.
func (g *Groups) valueHeader() []string {
	var header []string
	levels := g.Test.Levels
	for _, level := range levels {
		header = append(header, "mean_"+level)
	}
	for k := range g.Test.Strength.Differences {
		suffix := ""
		if len(levels) > 2 {
			suffix = "_" + levels[k+1]
		}
		header = append(header, "difference"+suffix, "low"+suffix, "high"+suffix, "standardised"+suffix)
	}
	return append(header, "statistic")
}

func valueCells(e groups.Effects) []string {
	var cells []string
	for _, m := range e.Means {
		cells = append(cells, number(m))
	}
	for _, d := range e.Differences {
		cells = append(cells, number(d.Size), number(d.Low), number(d.High), number(d.Standardised))
	}
	return append(cells, number(e.Statistic))
}

// unitTable says what is known of each unit, and how far it is from its group.
func (g *Groups) unitTable() [][]string {
	header := []string{g.Unit}
	add := func(name string, asked bool) {
		if asked {
			header = append(header, name)
		}
	}
	d := g.Design
	add(d.By, d.Groups != nil)
	add(d.Paired, d.Subjects != nil)
	add(d.CovariateName, d.Covariate != nil)
	table := [][]string{append(header, "distance", "source", "target", "value", "others", "deviations")}
	for u, far := range g.distances() {
		row := []string{g.Units[u]}
		if d.Groups != nil {
			row = append(row, d.Groups[u])
		}
		if d.Subjects != nil {
			row = append(row, d.Subjects[u])
		}
		if d.Covariate != nil {
			row = append(row, number(d.Covariate[u]))
		}
		pair := g.Values.Pairs[far.pair]
		table = append(table, append(row, number(far.distance), g.Names[pair[0]], g.Names[pair[1]], number(far.value), number(far.mean), number(far.deviations)))
	}
	return table
}

// valueTable has the values of the clearest pairs in each unit.
func (g *Groups) valueTable() [][]string {
	ranked := g.ranked()
	ranked = ranked[:min(len(ranked), max(mostRows, g.found()))]
	table := [][]string{append([]string{"source", "target"}, g.Units...)}
	at := g.columns()
	for _, e := range ranked {
		row := []string{g.Names[e.I], g.Names[e.J]}
		for u := range g.Units {
			row = append(row, number(g.Values.Of.At(u, at[[2]int{e.I, e.J}])))
		}
		table = append(table, row)
	}
	return table
}

// columns returns where the values of each pair are.
func (g *Groups) columns() map[[2]int]int {
	place := make(map[[2]int]int, len(g.Values.Pairs))
	for p, pair := range g.Values.Pairs {
		place[pair] = p
	}
	return place
}
