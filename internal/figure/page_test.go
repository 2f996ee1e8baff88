package figure

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/rng"
)

// drawings has one of each, with odd names and without anything in them.
func drawings() map[string]Drawing {
	odd := square()
	odd.Confidence = []float64{0.2, 0.9, 1}
	odd.Vertices[0].Name, odd.Vertices[1].Name = "Åsa 東京 🙂", "\x00\xff"
	odd.Coloring = &Coloring{Label: "group", Groups: []string{"a", "b", "ж", "d", "e", "f", "g"}, Of: []int{0, 1, 6, -1}}
	shaded := square()
	shaded.Coloring = &Coloring{Label: "height", Values: []float64{1, math.NaN(), 3, 7}}
	return map[string]Drawing{
		"a network":            square(),
		"an odd network":       odd,
		"a shaded network":     shaded,
		"an empty network":     Network{},
		"one vertex":           Network{Vertices: []Vertex{{Name: "alone"}}},
		"charts":               Charts{"charts", 2, charts()},
		"a logarithmic chart":  Charts{"", 1, []Chart{{Title: "p(λ)", LogY: true, Series: []Series{{Name: "w", X: []float64{1, 2}, Y: []float64{1e-9, 3}, Plain: true}}}}},
		"no charts":            Charts{},
		"fields":               Fields{"fields", 1, []Field{corners(), corners()}},
		"no fields":            Fields{},
		"a matrix":             Matrix{Title: "m", Names: []string{"a", "b", "ç"}, Cells: []Cell{{0, 1, 2}, {1, 2, 0.01}}, Breaks: []int{1}},
		"a matrix of one edge": Matrix{Names: []string{"a", "b"}, Cells: []Cell{{0, 1, 2}}},
		"an empty matrix":      Matrix{},
		"a raster":             Raster{Title: "r", Rows: []string{"a – b", "a – ç"}, Columns: []string{"2024-01-31", "2024-02-01", "2024-02-02"}, Cells: []Cell{{0, 0, 1}, {1, 2, 0.1}}, Breaks: []int{1}},
		"an empty raster":      Raster{},
	}
}

func written(t *testing.T, f Format, mm float64, d Drawing) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, Page{Width: mm, Heading: "Überschrift λ₀"}, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every drawing is XML of the width of its page, an image with ink on it, and a file of the same bytes each time.
func TestEveryDrawingIsAFile(t *testing.T) {
	for name, d := range drawings() {
		files := map[Format][]byte{}
		for _, f := range []Format{SVG, PNG, PDF} {
			files[f] = written(t, f, 30, d)
			if f != PNG && !bytes.Equal(files[f], written(t, f, 30, d)) {
				t.Errorf("%s: two %s files differ", name, f)
			}
		}
		if svg := files[SVG]; bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) || !bytes.Contains(svg, []byte(`width="30mm"`)) {
			t.Errorf("%s: not a number, or not 30 mm wide: %s", name, svg)
		}
		elements(t, files[SVG])
		img, err := png.Decode(bytes.NewReader(files[PNG]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := img.Bounds().Dx(), 30*dotsPerInch/25.4; math.Abs(float64(got)-want) > 1.5 {
			t.Errorf("%s: %d pixels wide, want %.0f", name, got, want)
		}
		ink := false // of the heading, at least
		for at := 0; at < img.Bounds().Dx()*img.Bounds().Dy() && !ink; at++ {
			r, g, b, _ := img.At(at%img.Bounds().Dx(), at/img.Bounds().Dx()).RGBA()
			ink = r+g+b < 3*0xffff
		}
		if !ink {
			t.Errorf("%s: nothing is on it", name)
		}
	}
}

func TestPDFHasItsWordsAndLetters(t *testing.T) {
	needs.Long(t, "pdftotext reads figures back")
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		needs.LeaveOut(t, "there is no pdftotext to read PDF with")
	}
	for name, d := range drawings() {
		path := filepath.Join(t.TempDir(), "figure.pdf")
		if err := os.WriteFile(path, written(t, PDF, 90, d), 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := exec.Command(tool, path, "-").CombinedOutput()
		if err != nil || strings.Contains(string(text), "Error") {
			t.Errorf("%s: %v: %s", name, err, text)
		}
		for drawing, word := range map[string]string{"an odd network": "Åsa □□ □", "no charts": "Überschrift λ", "a logarithmic chart": "p(λ)", "a matrix": "ç"} {
			if name == drawing && !strings.Contains(string(text), word) {
				t.Errorf("%s: no %q in %q", name, word, text)
			}
		}
	}
}

func TestNamesDoNotCoverOneAnother(t *testing.T) {
	n := Network{}
	for k := range 400 {
		n.Vertices = append(n.Vertices, Vertex{"a very long name indeed", float64(k % 20), float64(k / 20)})
	}
	s := n.style(n.fit(0, 0, 800, 800, 1))
	s.page = box{-100, -100, 900, 900}
	labels := n.placeNames(s)
	if len(labels) == 0 || len(labels) == 400 {
		t.Errorf("%d of 400 names are shown, want some", len(labels))
	}
	for i, a := range labels {
		if !a.box().within(s.page) {
			t.Fatal("a name goes beyond the page")
		}
		for _, b := range labels[:i] {
			if a.box().meets(b.box()) {
				t.Fatal("two names overlap")
			}
		}
	}
}

func TestPanelsAndTitlesKeepToTheirWidth(t *testing.T) {
	if columns, rows, each := inRows(5, 3, 800, 260); columns != 3 || rows != 2 || each != 800.0/3 {
		t.Errorf("on a wide page: %d columns and %d rows, %g wide", columns, rows, each)
	}
	if columns, rows, _ := inRows(5, 3, 300, 260); columns != 1 || rows != 5 {
		t.Errorf("on a narrow page: %d columns and %d rows", columns, rows)
	}
	for _, room := range []float64{500, 60, 20} {
		if got := titles.fitted("a long title of a figure", room); titles.width(got) > room {
			t.Errorf("%q is wider than %g", got, room)
		}
	}
	if got := titles.fitted("short", 500); got != "short" {
		t.Errorf("%q was shortened without need", got)
	}
}

// The spacing is that of all pairs, and dots that stand closer than their size still leave most of the drawing free.
func TestCrowdedNetworks(t *testing.T) {
	draw := rng.Stream(1, "crowded")
	for _, count := range []int{2, 50, 30_000} {
		n := Network{}
		for range count {
			n.Vertices = append(n.Vertices, Vertex{"long name", draw.Float64(), math.Round(40*draw.Float64()) / 40})
		}
		f := n.fit(0, 0, 800, 800, 1)
		if count < 1000 {
			near := make([]float64, count)
			for i, v := range n.Vertices {
				near[i] = math.Inf(1)
				for j, u := range n.Vertices {
					if i != j {
						near[i] = min(near[i], math.Hypot(u.X-v.X, u.Y-v.Y))
					}
				}
			}
			slices.Sort(near)
			if got, want := n.spacing(f), f.scale*near[count/5]; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%d vertices: they are %g apart, want %g", count, got, want)
			}
		} else if r := n.style(f).radius; float64(count)*math.Pi*r*r > 0.2*800*800 {
			t.Errorf("%d vertices of radius %g hide the rest", count, r)
		}
	}
}

// An image for a page stands on the ground of the page, as drawings in SVG do; a file is on paper.
func TestAnImageForAPageHasNoPaper(t *testing.T) {
	var paper bytes.Buffer
	d := Network{Vertices: []Vertex{{Name: "a"}, {Name: "b", X: 1, Y: 1}}}
	address, err := ImageURL(d)
	if err := errors.Join(err, Write(&paper, PNG, Page{}, d)); err != nil {
		t.Fatal(err)
	}
	_, content, _ := strings.Cut(string(address), ",")
	bare, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		t.Fatal(err)
	}
	for want, file := range map[uint32][]byte{0: bare, 0xffff: paper.Bytes()} {
		image, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, opaque := image.At(0, 0).RGBA(); opaque != want {
			t.Errorf("the ground has opacity %x, want %x", opaque, want)
		}
	}
}
