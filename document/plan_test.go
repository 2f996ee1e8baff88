package document

import (
	"strings"
	"testing"
)

// somePlan is of two numbers of signals, the first without edges.
func somePlan() *Plan {
	return &Plan{
		Recall: 0.8, Points: []PlanPoint{
			{Signals: 500, By: BySubsampling, Repeats: 4, Sure: &PlanRates{}},
			{Signals: 2000, By: BySimulation, Repeats: 4, All: PlanRates{Edges: 20.5, Recall: 0.9, RecallSD: 0.05, Precision: new(0.96)}, Sure: &PlanRates{Edges: 10, Recall: 0.6, Precision: new(1.0)}},
		},
	}
}

func TestAPlanAsATable(t *testing.T) {
	p := somePlan()
	p.Points = append(p.Points, PlanPoint{Signals: 4000, By: BySimulation, Repeats: 1, All: PlanRates{Edges: 20, Recall: 1, Precision: new(1.0)}})
	var b strings.Builder
	if err := p.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := `signals,by,repeats,edges,recall,recall_sd,precision,sure,sure_recall,sure_recall_sd,sure_precision
500,subsampling,4,0,0,0,,0,0,0,
2000,simulation,4,20.5,0.9,0.05,0.96,10,0.6,0,1
4000,simulation,1,20,1,0,1,,,,
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestAPlanAnswersInASentence(t *testing.T) {
	for want, change := range map[string]func(*Plan){
		"about 1,200 signals to find 80% of the edges, and more than 2,000 to be sure of 80%":     func(p *Plan) { p.Enough = new(1200.0) },
		"at most 500 signals to find 80% of the edges, and about 1,900 to be sure of 80%":         func(p *Plan) { p.Enough, p.EnoughSure = new(500.0), new(1900.0) },
		"more than 2,000 signals to find 95% of the edges, and more than 2,000 to be sure of 95%": func(p *Plan) { p.Recall = 0.95 },
		"about 1,200 signals to find 80% of the edges":                                            func(p *Plan) { p.Enough, p.Points[1].Sure = new(1200.0), nil },
		"not known yet": func(p *Plan) { p.Points = nil },
	} {
		p := somePlan()
		change(p)
		if got := p.Answer(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
