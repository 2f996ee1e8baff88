package viewer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/signals"
)

// A directed graph is drawn with arrows, told as such and saved as such.
func TestThePageShowsArrows(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	y, _ := checks.Causal(1, 12, 2, 300, 0)
	path := filepath.Join(t.TempDir(), "signals.csv")
	if err := dataio.WriteSignals(path, &signals.Set{Y: y, Names: graph.DefaultNames(12)}); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := v.open(b, browsertest.View{})
	drop(p, "signals.csv", file)
	set(p, "method", "causal")
	click(p, "learn")
	waitFor(p, "done")
	if !browsertest.Eval[bool](p, "nervurePage.live.view.model.directed") {
		t.Error("the graph that is drawn has no direction")
	}
	for id, want := range map[string]string{"graph": "arrows: from source to target", "result": "Directed edges", "verdict": "of the arrows are one-way"} {
		if said := text(p, id); !strings.Contains(said, want) {
			t.Errorf("%s says %q, which lacks %q", id, said, want)
		}
	}
	if got := saved(p, "graph.gexf"); !bytes.Contains(got, []byte(`defaultedgetype="directed"`)) {
		t.Errorf("the graph is saved as\n%.300s", got)
	}
	noComplaints(t, p, v.url)
}
