package study

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/report"
)

//go:embed groups.html
var groupsText string

var groupsTemplate = template.Must(template.New("groups").Funcs(template.FuncMap{"p": chance}).Parse(groupsText))

// mostRows is how many pairs and vertices at most the page lists.
const mostRows = 40

// A groupPage is what the page about groups shows.
type groupPage struct {
	*document.GroupComparison

	Title, Sentence, Different, AboutDots, Listed string
	Tables                                        bool // of units and their values
	Contrasts                                     []string
	Graphs                                        []shownFigure
	Differences                                   []shownFigure
	Alike                                         *shownFigure
	Dots                                          []shownFigure
	Rows, Places                                  []comparedRow
	Outliers                                      []outlier
}

// A shownFigure is a picture and the file that has it, too.
type shownFigure struct {
	Name, About, File string
	Picture           template.URL
}

// An outlier is a unit that stands out, and why.
type outlier struct{ Unit, Group, Distance, Pair, Deviations, Value, Mean string }

// A comparedRow is a row of a table.
type comparedRow struct {
	Pair        string
	Means       []string
	Differences []shownDifference
	Strength    string
	P, Q        string
	Clear       bool
}

type shownDifference struct{ Size, Interval string }

func chance(p float64) string { return fmt.Sprintf("%.2g", p) }

// shown writes a number with a true minus.
func shown(x float64) string {
	text := fmt.Sprintf("%.3f", math.Abs(x))
	if x < 0 && strings.Trim(text, "0.") != "" {
		return "−" + text
	}
	return text
}

// page writes a page about the groups.
func (g *Groups) page(title, command string) func(io.Writer) error {
	return func(w io.Writer) error {
		p := g.words(title, command)
		if err := g.draw(p); err != nil {
			return err
		}
		return report.ListPage(w, title, groupsTemplate, p)
	}
}

// words are what the page says besides its figures.
func (g *Groups) words(title, command string) *groupPage {
	d := g.Document(command)
	p := &groupPage{GroupComparison: d, Title: title, Tables: len(g.Units) > 0, Outliers: g.outliers(), Places: g.places()}
	p.Sentence = strings.ToUpper(d.Answer[:1]) + d.Answer[1:]
	p.Contrasts = g.contrasts()
	p.Different = fmt.Sprintf("No pair of vertices differs at a false discovery rate of %g. The clearest ones are below.", different)
	if len(d.Edges) > 0 {
		p.Different = fmt.Sprintf("%d of %s differ at a false discovery rate of %g.", len(d.Edges), words.Plural(d.Pairs, "pair"), different)
	}
	ranked := g.ranked()
	for _, e := range ranked[:min(len(ranked), mostRows)] {
		row := g.row(g.pair(e), e.Effects)
		row.Clear = e.Q <= different
		p.Rows = append(p.Rows, row)
	}
	p.Listed = fmt.Sprintf("The clearest %d of %d pairs.", len(p.Rows), len(ranked))
	switch {
	case g.Unit == rowUnit: // a single observation has no correlation
		p.AboutDots = "Values of the groups, with 95 % intervals."
	case g.Design.Subjects != nil:
		p.AboutDots = fmt.Sprintf("Each dot is a %s, lines tie those of a subject, and bars are means.", g.Design.Unit)
	default:
		p.AboutDots = fmt.Sprintf("Each dot is a %s, and bars are means.", g.Design.Unit)
	}
	return p
}

func (g *Groups) row(name string, e groups.Effects) comparedRow {
	r := comparedRow{Pair: name, P: chance(e.P), Q: chance(e.Q)}
	for _, m := range e.Means {
		r.Means = append(r.Means, shown(m))
	}
	for _, d := range e.Differences {
		r.Differences = append(r.Differences, shownDifference{shown(d.Size), shown(d.Low) + " to " + shown(d.High)})
	}
	return r
}

// places are the rows of the table of vertices, the clearest first.
func (g *Groups) places() []comparedRow {
	vertices := slices.Clone(g.Test.Vertices)
	slices.SortStableFunc(vertices, func(a, b groups.Vertex) int { return cmp.Compare(a.P, b.P) })
	var rows []comparedRow
	for _, v := range vertices[:min(len(vertices), mostRows)] {
		r := g.row(g.Names[v.Vertex], v.Strength)
		r.Strength, r.P, r.Q, r.Clear = chance(v.Strength.P), chance(v.P), chance(v.Q), v.Q <= different
		rows = append(rows, r)
	}
	return rows
}

// outliers lists the units that stand out, the farthest first.
func (g *Groups) outliers() []outlier {
	if len(g.Units) == 0 {
		return nil
	}
	far := g.distances()
	var out []int
	for u := range far {
		if far[u].out {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(far[b].distance, far[a].distance), cmp.Compare(a, b)) })
	var list []outlier
	for _, u := range out[:min(len(out), mostRows)] {
		pair := g.Values.Pairs[far[u].pair]
		list = append(list, outlier{
			g.Units[u], g.level(u), fmt.Sprintf("%.1f", far[u].distance),
			g.pair(groups.Edge{I: pair[0], J: pair[1]}), fmt.Sprintf("%.1f", far[u].deviations), shown(far[u].value), shown(far[u].mean),
		})
	}
	return list
}

// draw adds the figures to a page.
func (g *Groups) draw(p *groupPage) error {
	drawings, err := g.drawings()
	if err != nil {
		return err
	}
	for k, d := range drawings {
		f := shownFigure{Name: d.title, File: d.name}
		if charts, ok := d.drawing.(figure.Charts); ok {
			for _, chart := range charts.Charts { // one by one, so that they can be read on a narrow screen
				one := shownFigure{Name: chart.Title, File: d.name}
				if one.Picture, err = figure.DataURL(figure.Charts{Title: chart.Title, PerRow: 1, Charts: []figure.Chart{chart}}); err != nil {
					return err
				}
				p.Dots = append(p.Dots, one)
			}
			continue
		}
		if f.Picture, err = d.picture(); err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(d.name, "differences"):
			p.Differences = append(p.Differences, f)
		case strings.HasPrefix(d.name, "alike"):
			p.Alike = &f
		case g.Test.Levels == nil:
			f.Name, f.About = "all", words.Plural(g.Test.Units, g.Design.Unit)
			p.Graphs = append(p.Graphs, f)
		default:
			f.Name, f.About = g.Test.Levels[k], g.aboutGraph(k)
			p.Graphs = append(p.Graphs, f)
		}
	}
	return nil
}
