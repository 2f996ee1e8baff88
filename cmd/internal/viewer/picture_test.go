package viewer

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/browsertest"
)

var update = flag.Bool("update", false, "take the picture of the page in docs again")

// The documentation shows the page with an answer on it, as wide as it was taken.
func TestPictureInTheDocs(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "figures", "page.png")
	if *update {
		takePicture(t, path)
	}
	shown, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skip("there is no documentation here")
	}
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.DecodeConfig(bytes.NewReader(shown))
	if err != nil || picture.Width != pictureWidth || picture.Height != pictureHeight {
		t.Errorf("%s is %d × %d (%v)", path, picture.Width, picture.Height, err)
	}
}

const pictureWidth, pictureHeight = 1280, 820

// takePicture learns the graph of the leaf on the page.
func takePicture(t *testing.T, path string) {
	b := browsertest.Start(t)
	p := visit(t, Limits{}).open(b, browsertest.View{Width: pictureWidth, Height: pictureHeight, Still: true})
	browsertest.Eval[bool](p, `(document.querySelector("#samples button").click(), true)`)
	p.Wait(`!document.getElementById("learn").disabled`)
	click(p, "learn")
	waitFor(p, "done")
	browsertest.Eval[bool](p, `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`)
	if err := os.WriteFile(path, browsertest.Get(p, chromedp.CaptureScreenshot()), 0o644); err != nil {
		t.Fatal(err)
	}
}
