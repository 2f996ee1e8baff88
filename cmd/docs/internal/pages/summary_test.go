package pages

import (
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/plans"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/docs/internal/reliability"
	"github.com/nervure/nervure/cmd/docs/internal/sizes"
)

func TestAnswersOfTheSummary(t *testing.T) {
	recovery := benchmark.Results{}
	for _, row := range recoverySettings {
		recovery["Recovery/default/"+row.setting] = map[string]float64{"N": 20, "F1": 1, "certified": 0.95}
	}
	recovery["Recovery/default/"+recoverySettings[0].setting]["F1"] = 0.9
	set := func(name string, own float64) realdata.Record {
		return realdata.Record{Set: name, Chance: 0.1, Methods: []realdata.Scores{{Method: realdata.Auto, Own: own}}}
	}
	sets := []realdata.Record{set("danube", 0.9), set("molene", 0.8), set("sachs", 0.3), set("chickenpox", 0.2)}
	grid := sizes.Record{Part: sizes.BySize, By: sizes.Default, Vertices: 2500, Edges: 100, Outcome: sizes.Outcome{Found: 100, Right: 90, Seconds: 11.7, Memory: 80}}
	grid.Graph, grid.Signals = "grid", 1000
	more := grid
	more.Vertices, more.Failed = 10_000, "too large"
	for got, want := range map[string]string{
		recovered(recovery): "95 of 100 exactly, and known to be so; lowest mean F1 0.9000",
		measuredSets(sets):  "F1: danube (river tree) 0.90, usual software 0.90",
		worstSets(sets):     "F1: chickenpox (common border) 0.20, by chance 0.10; sachs (signalling network) 0.30, by chance 0.10",
		plansOff([]plans.Record{
			{Predicted: plans.Rates{Recall: 0.9, SureRecall: 0.5}, Found: plans.Rates{Recall: 0.8, SureRecall: 0.5}},
			{Predicted: plans.Rates{Recall: 0.5}, Found: plans.Rates{Recall: 0.5, SureRecall: 0.4}},
		}): "the share of edges found is 0.05 from the one predicted, that of sure edges 0.20, in the mean of 2 plans",
		largest([]sizes.Record{grid, more}):                                               "a grid of 2,500 vertices from 1,000 signals: 12 s of processor time and 80 MB, with confidence; F1 0.90",
		broken([]reliability.Record{{Tried: 900, Faults: 1}, {Tried: 200}}):               "1 faults in 1,100 attempts of 2 kinds",
		forecastAnswer(nil) + plansOff(nil) + largest(nil) + broken(nil) + messyCost(nil): "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
