//go:build unix

package pairs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/document"
)

// Whatever a run must not do is a fault, and what it may do is none.
func TestFaultsAreSeen(t *testing.T) {
	const head = "source,target,weight,confidence,partial,low,high,q\n"
	for name, c := range map[string]struct {
		end   outcome
		graph string
		want  string // a part of the fault; "" if there is none
	}{
		"a graph":               {outcome{}, head + "v0,v1,1,0.5,0.3,0.1,0.4,0.01\n", ""},
		"no edges":              {outcome{}, head, ""},
		"one sentence":          {outcome{code: 2, said: "nervure: signals.csv: line 3: add a number\n"}, "", ""},
		"a panic":               {outcome{code: 2, said: "panic: nil\n\ngoroutine 1 [running]:\n"}, "", "panic"},
		"a recovered panic":     {outcome{code: 1, said: "nervure: internal error: nil"}, "", "panic"},
		"another exit":          {outcome{code: 1, said: "nervure: no space left"}, "", "exit 1"},
		"a run without an end":  {outcome{code: codeKilled, took: time.Minute}, "", "after 60 s"},
		"two sentences":         {outcome{code: 2, said: "nervure: one\nnervure: two\n"}, "", "2 sentences"},
		"no sentence":           {outcome{code: 2}, "", "0 sentences"},
		"a long sentence":       {outcome{code: 2, said: "nervure: " + strings.Repeat("ä", mostLetters+1)}, "", "201 letters"},
		"no graph":              {outcome{}, "", "is missing"},
		"what is no graph":      {outcome{}, "a\nb,c\n", "does not read back"},
		"what is no number":     {outcome{}, head + "v0,v1,1,0.5,0.3,0.1,0.4,NaN\n", "no number"},
		"another vertex":        {outcome{}, head + "v0,w1,1,0.5,0.3,0.1,0.4,0.01\n", `"w1"`},
		"too much confidence":   {outcome{}, "source,target,weight,confidence\nv0,v1,1,1.5\n", "not between 0 and 1"},
		"an interval beside it": {outcome{}, head + "v0,v1,1,0.5,0.3,0.31,0.4,0.01\n", "not between its low end"},
	} {
		dir := t.TempDir()
		if c.end.dir = dir; c.graph != "" {
			must(os.WriteFile(filepath.Join(dir, "graph.csv"), []byte(c.graph), 0o600))
		}
		v, doc := &verdict{}, &document.Run{Write: document.RunWrite{Graph: "graph.csv"}}
		v.check(&kase{}, &drawing{names: []string{"v0", "v1"}}, doc, c.end)
		said := strings.Join(v.faults, "; ")
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: got %q, want %q", name, said, c.want)
		}
	}
}
