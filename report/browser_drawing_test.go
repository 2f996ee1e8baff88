package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/rng"
)

// choose selects an entry of a list among the tools.
func choose(p *browsertest.Page, class, value string) {
	browsertest.Eval[bool](
		p,
		`(() => { const s = document.querySelector(".%s select"); s.value = %q; s.dispatchEvent(new Event("change")); return s.value === %[2]q })()`,
		class,
		value,
	)
	settled(p)
}

// modules is a run on groups of vertices, joined within and by one edge from each to
// the next.
func modules(t *testing.T, groups, size int) content {
	t.Helper()
	run := webRun(t, groups*size, graph.DefaultNames(groups*size))
	var edges []graph.Edge
	for c := range groups {
		for i := range size {
			for j := range i {
				edges = append(edges, graph.Edge{I: c*size + j, J: c*size + i, Weight: 1})
			}
		}
		if c > 0 {
			edges = append(edges, graph.Edge{I: c*size - 1, J: c * size, Weight: 0.5})
		}
	}
	run.Graph = mustGraph(t, run.Graph.Names(), edges)
	run.Weights = run.Graph
	return run
}

func checkLayouts(t *testing.T, b *browsertest.Browser) {
	run := modules(t, 4, 5)
	table := "name,lat,lon\n"
	for i, name := range run.Graph.Names() {
		table += fmt.Sprintf("%s,%d,%d\n", name, i/5, i%5)
	}
	run.Vertices = vertexTable(t, run.Graph.Names(), table)
	p := open(t, b, run, browsertest.View{})
	if got, want := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".graph-layout option")].map((o) => o.value)`), []string{"map", "force", "circle", "community"}; !slices.Equal(
		got,
		want,
	) {
		t.Fatalf("the layouts are %q, want %q", got, want)
	}
	places := func() []point {
		return browsertest.Eval[[]point](p, "nervure.view.model.names.map((_, i) => nervure.view.placeOf(i))")
	}

	choose(p, "graph-layout", "circle")
	var middle point
	for _, at := range places() {
		middle.X += at.X / 20
		middle.Y += at.Y / 20
	}
	radius := math.Hypot(places()[0].X-middle.X, places()[0].Y-middle.Y)
	for i, at := range places() {
		if r := math.Hypot(at.X-middle.X, at.Y-middle.Y); math.Abs(r-radius) > 0.5 || r < 50 {
			t.Errorf("vertex %d is %g pixels from the middle of the circle, vertex 0 is %g", i, r, radius)
		}
	}

	choose(p, "graph-layout", "community")
	at := places()
	within, between := 0.0, math.Inf(1)
	for i := range at {
		for j := range i {
			if far := math.Hypot(at[i].X-at[j].X, at[i].Y-at[j].Y); i/5 == j/5 {
				within = max(within, far)
			} else {
				between = min(between, far)
			}
		}
	}
	if between < within/2 {
		t.Errorf("communities are up to %g pixels wide, but %g apart", within, between)
	}
	colors := browsertest.Eval[[]string](p, "nervure.view.model.names.map((_, i) => nervure.view.paintBy.of(i))")
	for i := range colors {
		for j := range i {
			if (colors[i] == colors[j]) != (i/5 == j/5) {
				t.Fatalf("vertices %d and %d have the colours %s and %s", i, j, colors[i], colors[j])
			}
		}
	}
	choose(p, "graph-color", "component")
	if colors := browsertest.Eval[[]string](p, "nervure.view.model.names.map((_, i) => nervure.view.paintBy.of(i))"); len(
		slices.Compact(colors),
	) != 1 {
		t.Errorf("all are joined, but coloured %q", colors)
	}
}

// A box of a name, and the name.
type nameBox struct {
	Text                     string
	Left, Top, Right, Bottom float64
}

// nameBoxes are the names that are drawn and the room that their letters take.
func nameBoxes(p *browsertest.Page) []nameBox {
	return browsertest.Eval[[]nameBox](p, `(async () => {
		const { view } = nervure, context = view.under.getContext("2d"), write = context.fillText, boxes = [];
		context.fillText = function (text, x, y) {
			const m = context.measureText(text);
			boxes.push({ text, left: x - m.actualBoundingBoxLeft, right: x + m.actualBoundingBoxRight, top: y - m.actualBoundingBoxAscent, bottom: y + m.actualBoundingBoxDescent });
		};
		view.paint("under");
		delete context.fillText;
		return boxes;
	})()`)
}

func checkNames(t *testing.T, b *browsertest.Browser) {
	draw := rng.Stream(*seed, "names")
	names := graph.DefaultNames(150)
	for i := range names {
		names[i] += strings.Repeat("Ågjy ", 1+draw.IntN(4))
	}
	p := open(t, b, webRun(t, len(names), names), browsertest.View{})
	counts := []int{}
	for range 3 {
		boxes := nameBoxes(p)
		for i, a := range boxes {
			for _, b := range boxes[:i] {
				if a.Left < b.Right && b.Left < a.Right && a.Top < b.Bottom && b.Top < a.Bottom {
					t.Errorf("%q and %q overlap", a.Text, b.Text)
				}
			}
		}
		inView := browsertest.Eval[int](
			p,
			"nervure.view.model.names.filter((_, i) => { const { camera, model } = nervure.view, x = camera.toScreenX(model.x[i]), y = camera.toScreenY(model.y[i]); return x > 0 && y > 0 && x < camera.width && y < camera.height }).length",
		)
		if len(boxes) == 0 {
			t.Error("no name is written")
		}
		counts = append(counts, 1000*len(boxes)/inView)
		browsertest.Eval[bool](p, "(nervure.view.zoomBy(2), true)")
		settled(p)
	}
	if !slices.IsSorted(counts) || counts[0] == counts[2] {
		t.Errorf("of 1000 vertices in view %v have a name as one zooms in, want more each time", counts)
	}
}

func checkTangle(t *testing.T, b *browsertest.Browser) {
	draw := rng.Stream(*seed, "tangle")
	names := graph.DefaultNames(60)
	var edges []graph.Edge
	var confidence []float64
	for i := range names {
		for j := range i {
			edges = append(edges, graph.Edge{I: j, J: i, Weight: 0.1 + draw.Float64()})
			confidence = append(confidence, draw.Float64())
		}
	}
	run := webRun(t, 60, names)
	sure := run
	g, err := mustGraph(t, names, edges).WithConfidence(confidence)
	if err != nil {
		t.Fatal(err)
	}
	sure.Graph, sure.Weights = g, g
	tangle := open(t, b, sure, browsertest.View{})
	shown := browsertest.Eval[[]float64](tangle, "nervure.view.visibleEdges().map((e) => e[3])")
	hidden := browsertest.Eval[[]float64](tangle, "nervure.view.model.edges.slice(200).map((e) => e[3])")
	if len(shown) != 200 || slices.Min(shown) < slices.Max(hidden) {
		t.Errorf("%d edges are shown, from %g; some that are hidden have %g", len(shown), slices.Min(shown), slices.Max(hidden))
	}
	if cells := browsertest.Eval[int](tangle, "nervure.heatmap.edges.length"); cells != len(edges) {
		t.Errorf("the heat map has %d of %d edges", cells, len(edges))
	}
	const noted = `!document.querySelector(".graph-note").hidden`
	before := browsertest.Eval[bool](tangle, noted)
	browsertest.Eval[bool](tangle, "(nervure.view.setCut(%d), true)", len(edges))
	if after := browsertest.Eval[bool](tangle, noted); !before || after {
		t.Errorf("that edges are hidden is said: %t, and with all of them shown: %t", before, after)
	}
	p := open(t, b, run, browsertest.View{})
	if shown := browsertest.Eval[int](p, "nervure.view.visibleEdges().length"); shown != run.Graph.EdgeCount() {
		t.Errorf("of a graph that is no tangle %d of %d edges are shown", shown, run.Graph.EdgeCount())
	}
}

// savedPicture clicks on a button and returns what the browser would save.
func savedPicture(t *testing.T, p *browsertest.Page, kind string) []byte {
	t.Helper()
	text := browsertest.Eval[string](p, `(async () => {
		const kept = new Promise((resolve) => {
			const create = URL.createObjectURL;
			URL.createObjectURL = (blob) => { URL.createObjectURL = create; resolve(blob); return "#saved"; };
		});
		document.querySelector('[aria-label="save the picture as %s"]').click();
		const bytes = new Uint8Array(await (await kept).arrayBuffer());
		return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
	})()`, strings.ToUpper(kind))
	saved, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func checkPicture(t *testing.T, b *browsertest.Browser, r content) {
	p := open(t, b, r, browsertest.View{Dark: true})
	inSight(p)
	written := nameBoxes(p)
	drawing := savedPicture(t, p, "svg")
	var names []string
	circles, lines := 0, 0
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is not well formed: %v", err)
		}
		switch token := token.(type) {
		case xml.CharData:
			names = append(names, string(token))
		case xml.StartElement:
			for _, a := range token.Attr {
				if a.Name.Local == "d" {
					circles += strings.Count(a.Value, "Z")
					lines += strings.Count(a.Value, "L")
				}
			}
		}
	}
	for _, box := range written {
		if !slices.Contains(names, box.Text) {
			t.Errorf("the SVG lacks the name %q", box.Text)
		}
	}
	if len(written) == 0 || !slices.Contains(names, "line width: weight") {
		t.Errorf("the SVG has the words %q", names)
	}
	// A vertex is filled and has a rim; an edge is a line.
	if n := r.Graph.Vertices(); circles < 2*n || lines != r.Graph.EdgeCount() {
		t.Errorf("the SVG has %d circles for %d vertices and %d lines for %d edges", circles, n, lines, r.Graph.EdgeCount())
	}
	if !bytes.Contains(drawing, []byte(`fill="#ffffff"`)) || !bytes.Contains(drawing, []byte("rgb(28, 38, 31)")) { // --ink in the light
		t.Error("the SVG is not light")
	}
	image, err := png.Decode(bytes.NewReader(savedPicture(t, p, "png")))
	if err != nil {
		t.Fatal(err)
	}
	if got, width := image.Bounds().Dx(), browsertest.Eval[int](p, "nervure.view.camera.width"); got != 2*width {
		t.Errorf("the PNG is %d pixels wide, want twice the %d of the screen", got, width)
	}
	if red, green, blue, _ := image.At(1, 1).RGBA(); red+green+blue != 3*0xffff {
		t.Error("the PNG is not on white")
	}
	if theme := browsertest.Eval[string](p, "getComputedStyle(document.body).backgroundColor"); theme != "rgb(18, 23, 20)" { // --paper in the dark
		t.Errorf("after that the page is on %s, no longer dark", theme)
	}
}
