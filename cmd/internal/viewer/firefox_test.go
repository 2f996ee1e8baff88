package viewer

import (
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
)

// watchFaults has a page in Firefox keep its complaints.
const watchFaults = `(window.faults = [], addEventListener("error", (e) => window.faults.push(e.message)), addEventListener("unhandledrejection", (e) => window.faults.push(String(e.reason))), true)`

func noFaults(t *testing.T, f *browsertest.Firefox) {
	t.Helper()
	if faults := browsertest.EvalIn[[]string](f, "window.faults"); len(faults) > 0 {
		t.Errorf("in Firefox the page complains: %q", faults)
	}
}

// dropIn gives a file to the page.
func dropIn(f *browsertest.Firefox, id, name string, content []byte) {
	browsertest.EvalIn[bool](f, `(() => {
		const data = new DataTransfer(), input = document.getElementById(%q);
		data.items.add(new File([%q], %q));
		input.files = data.files;
		return input.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, id, content, name)
}

// In Firefox, too, the page learns, filters, undoes, stops and opens graphs.
func TestThePageInFirefox(t *testing.T) {
	f := browsertest.StartFirefox(t)
	v := visit(t, Limits{})
	f.Open(v.server.URL())
	f.Wait(`document.body?.dataset.state === "ready"`)
	browsertest.EvalIn[bool](f, watchFaults)
	dropIn(f, "file", "signals.csv", learnable(t))
	f.Wait(`document.querySelector(".questions") !== null`)
	browsertest.EvalIn[bool](f, `(document.querySelector("[name=confidence]").value = "no", document.getElementById("learn").click(), true)`)
	f.Wait(`["done", "failed"].includes(document.body.dataset.state)`)
	if got := browsertest.EvalIn[string](f, `document.getElementById("live-title").textContent`); got != "signals.csv: done" {
		t.Fatalf("the heading is %q", got)
	}
	const shown = "nervurePage.live.view.visibleEdges().length"
	all := browsertest.EvalIn[int](f, shown)
	browsertest.EvalIn[bool](f, `(() => {
		const slider = document.querySelector(".graph-cut input");
		slider.value = 2;
		return slider.dispatchEvent(new Event("input", { bubbles: true })) && slider.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	if got := browsertest.EvalIn[int](f, shown); got != 2 {
		t.Errorf("with the slider at 2 there are %d edges", got)
	}
	f.Wait(`location.hash.includes("edges=2")`)
	browsertest.EvalIn[bool](f, `([...document.querySelectorAll(".graph-acts button")].find((b) => b.textContent === "Undo").click(), true)`)
	if got := browsertest.EvalIn[int](f, shown); got != all || all < 3 {
		t.Errorf("after undoing there are %d edges, want %d", got, all)
	}
	browsertest.EvalIn[bool](f, `(document.querySelector(".graph-over").focus(), true)`)
	f.Keys("\uE014") // the arrow to the right
	if got := browsertest.EvalIn[int](f, "nervurePage.live.view.selected"); got < 0 {
		t.Error("an arrow key selects nothing")
	}

	dropIn(f, "file", "noise.csv", noise(40, 400))
	f.Wait(`document.getElementById("live").hidden`)
	browsertest.EvalIn[bool](f, `(document.getElementById("learn").click(), true)`)
	f.Wait(`document.querySelectorAll("#graph canvas").length > 0`)
	browsertest.EvalIn[bool](f, `(document.getElementById("stop").click(), true)`)
	f.Wait(`document.body.dataset.state === "stopped"`)

	dropIn(f, "graph-file", "roads.csv", []byte("source,target,weight\na,b,2\n"))
	f.Wait(`document.body.dataset.state === "done"`)
	if got := browsertest.EvalIn[int](f, shown); got != 1 {
		t.Errorf("the graph that was opened has %d edges", got)
	}
	noFaults(t, f)
}

// The static site computes in Firefox, too, and stops there.
func TestTheStaticSiteInFirefox(t *testing.T) {
	f := browsertest.StartFirefox(t)
	f.Open(site(t))
	f.Wait(`document.body?.dataset.state === "ready"`)
	browsertest.EvalIn[bool](f, watchFaults)
	dropIn(f, "file", "noise.csv", noise(24, 200))
	f.Wait(`document.querySelector(".questions") !== null`)
	browsertest.EvalIn[bool](f, `(document.getElementById("learn").click(), true)`)
	f.Wait(`document.querySelectorAll("#graph canvas").length > 0`)
	browsertest.EvalIn[bool](f, `(document.getElementById("stop").click(), true)`)
	f.Wait(`["stopped", "done", "failed"].includes(document.body.dataset.state)`)
	if got := browsertest.EvalIn[string](f, `document.getElementById("live-title").textContent`); got != "noise.csv: stopped early" {
		t.Errorf("the heading is %q", got)
	}
	if got := browsertest.EvalIn[int](f, "nervurePage.live.view.visibleEdges().length"); got == 0 {
		t.Error("no edge is left")
	}
	noFaults(t, f)
}
