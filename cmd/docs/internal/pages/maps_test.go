package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/figure"
)

// kinds counts the edges of a map by their kinds.
func kinds(t *testing.T, m stationMap, learned string) map[figure.Kind]int {
	t.Helper()
	n, err := m.network(learned)
	if err != nil {
		t.Fatal(err)
	}
	count := map[figure.Kind]int{}
	for _, e := range n.Edges {
		count[e.Kind]++
	}
	return count
}

// A map of a graph that is the proxy itself has no fault in it.
func TestMapOfTheProxyHasNoFault(t *testing.T) {
	proxy, err := os.ReadFile(filepath.Join(root, "examples/molene/truth.csv"))
	if err != nil {
		t.Fatal(err)
	}
	m := stationMap{title: "proxy", against: true}
	if got := kinds(t, m, string(proxy)); got[figure.Found] != 65 || len(got) != 1 {
		t.Errorf("%v, want the 65 edges of the proxy and no fault", got)
	}
	if svg, err := m.draw(string(proxy)); err != nil || strings.Count(svg, "<line") != 65 || !strings.Contains(svg, ">Vannes Sene<") {
		t.Errorf("not every edge is drawn, or a station has no name: %v", err)
	}
}

func TestMapShowsWrongAndMissedEdgesBesideTheTruthAlone(t *testing.T) {
	const learned = "source,target,weight,confidence\nMERDRIGNAC,PLOUGUENAST,1,0.5\nMERDRIGNAC,LOUARGAT,1,0.25\n"
	if got := kinds(t, stationMap{against: true}, learned); got[figure.Found] != 1 || got[figure.Wrong] != 1 || got[figure.Missed] != 64 {
		t.Errorf("%v, want one edge of each kind and 64 missed ones", got)
	}
	n, err := stationMap{}.network(learned)
	if err != nil || len(n.Edges) != 2 || n.Edges[0].Weight+n.Edges[1].Weight != 0.75 {
		t.Errorf("%v, %v: want two edges as wide as their confidence", n.Edges, err)
	}
}

func TestAPageWithoutAWalkHasNoMaps(t *testing.T) {
	p := pageOf(t, "<!-- map: generated -->\nold\n<!-- map: end -->\n<!-- against: generated -->\nold\n<!-- against: end -->\n")
	files, err := fillMaps(p, "")
	if err != nil || len(files) > 0 || strings.Contains(p.text, "old") || len(p.faults) > 0 {
		t.Errorf("%v, %v, %q, %v", files, err, p.text, p.faults)
	}
}
