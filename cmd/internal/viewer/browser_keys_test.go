package viewer

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/nervure/nervure/internal/browsertest"
)

// focused says what has the focus, by its id or else its text.
func focused(p *browsertest.Page) string {
	return browsertest.Eval[string](p, `document.activeElement.id || document.activeElement.textContent`)
}

// tabTo presses Tab until something has the focus.
func tabTo(t *testing.T, p *browsertest.Page, what string) {
	t.Helper()
	const most = 150
	for range most {
		if focused(p) == what {
			return
		}
		p.Do(chromedp.KeyEvent(kb.Tab))
	}
	t.Fatalf("Tab does not lead to %s", what)
}

// enter presses Enter.
func enter(p *browsertest.Page) { p.Do(chromedp.KeyEvent(kb.Enter)) }

// Nothing but keys: choose a sample, learn, save the graph; learn again, and stop.
func TestTheKeyboardAloneLearnsStopsAndExports(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	tabTo(t, p, "leaf")
	enter(p)
	p.Wait(`!document.getElementById("learn").disabled`)
	tabTo(t, p, "learn")
	browsertest.Eval[bool](p, `(() => {
		globalThis.heard = [];
		new MutationObserver(() => heard.push(document.getElementById("spoken").textContent)).observe(document.getElementById("spoken"), { childList: true });
		return true;
	})()`)
	enter(p)
	waitFor(p, "done")
	if got := focused(p); got != "learn" {
		t.Errorf("after learning the focus is on %q, want it where it was", got)
	}
	heard := browsertest.Eval[[]string](p, "heard")
	if len(heard) < 2 || heard[0] != "Learning from sample leaf" || !strings.HasPrefix(heard[len(heard)-1], "sample leaf: done. ") || !strings.Contains(heard[len(heard)-1], " edges, ") {
		t.Errorf("a screen reader hears %q", heard)
	}
	tabTo(t, p, "save-graph-csv")
	browsertest.Eval[bool](p, `(() => {
		const create = URL.createObjectURL;
		URL.createObjectURL = (blob) => { URL.createObjectURL = create; globalThis.kept = blob.text(); return "#saved"; };
		return true;
	})()`)
	enter(p)
	p.Wait("globalThis.kept !== undefined")
	if got := browsertest.Eval[string](p, "kept"); !strings.HasPrefix(got, "source,target,weight") {
		t.Errorf("the graph is saved as %.60q", got)
	}

	drop(p, "noise.csv", noise(40, 400))
	browsertest.Eval[bool](p, countGraphs)
	browsertest.Eval[bool](p, `(document.getElementById("learn").focus(), true)`)
	enter(p)
	p.Wait("drawn > 1")
	if got := text(p, "status"); !strings.Contains(got, " of 5: ") || !regexp.MustCompile(`\d (s|min)\b`).MatchString(got) {
		t.Errorf("while it works the page says %q, without the stage or the seconds", got)
	}
	tabTo(t, p, "stop")
	enter(p)
	waitFor(p, "stopped")
	if got := focused(p); got != "live-title" {
		t.Errorf("after stopping the focus is on %q, want the heading", got)
	}
	if got := saved(p, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) {
		t.Errorf("the graph is %.60q", got)
	}
	noComplaints(t, p, v.url)
}
