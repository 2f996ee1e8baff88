package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// limit is how long an action may take before a test fails; it only keeps a fault
// from hanging.
const limit = 30 * time.Minute

// A Page is a tab of its own.
type Page struct {
	t   testing.TB
	ctx context.Context

	lock     sync.Mutex
	errors   []string
	requests []string
}

// View says how a page is looked at. Zero means 1280×900, light.
type View struct {
	Width, Height int64
	Dark          bool
	Still         bool // the reader has asked for no motion
}

// Open opens an address in a new tab and waits until it is loaded.
func (b *Browser) Open(t testing.TB, address string, v View) *Page {
	t.Helper()
	ctx, closed := chromedp.NewContext(b.ctx)
	t.Cleanup(closed)
	p := &Page{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	p.record()
	p.Look(v)
	p.Do(chromedp.Navigate(address))
	return p
}

// OpenFile opens a file from disk.
func (b *Browser) OpenFile(t testing.TB, path string, v View) *Page {
	t.Helper()
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return b.Open(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(absolute)}).String(), v)
}

// record keeps complaints and requests from now on.
func (p *Page) record() {
	messages, requests := chromedp.Console(p.ctx), chromedp.Events(p.ctx, network.RequestWillBeSent)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException() {
				p.add(&p.errors, m.String())
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err != nil {
				return
			}
			p.add(&p.requests, r.Request.URL)
		}
	}()
	if _, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *Page) add(list *[]string, entry string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	*list = append(*list, entry)
}

// Errors returns what the page complained about on its console so far: errors,
// warnings and exceptions.
func (p *Page) Errors() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return slices.Clone(p.errors)
}

// Requests returns the addresses asked for so far, the page's own first.
func (p *Page) Requests() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return slices.Clone(p.requests)
}

// Look changes how the page is looked at.
func (p *Page) Look(v View) {
	p.t.Helper()
	if v.Width == 0 {
		v.Width, v.Height = 1280, 900
	}
	p.Do(chromedp.EmulateViewport(v.Width, v.Height))
	scheme, motion := "light", "no-preference"
	if v.Dark {
		scheme = "dark"
	}
	if v.Still {
		motion = "reduce"
	}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}}); err != nil {
		p.t.Fatal(err)
	}
}

// Do carries out actions; the test fails if one does.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// Get carries out an action that has an answer.
func Get[T any](p *Page, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	answer, err := chromedp.Run(ctx, action)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer
}

// Eval returns the value of a JavaScript expression, which may be a promise.
func Eval[T any](p *Page, expression string, args ...any) T {
	p.t.Helper()
	return Get(p, chromedp.Evaluate[T](fmt.Sprintf(expression, args...), chromedp.EvalAwaitPromise))
}

// Wait waits until a JavaScript expression is true.
func (p *Page) Wait(expression string, args ...any) {
	p.t.Helper()
	Get(p, chromedp.Poll[bool](fmt.Sprintf(expression, args...), chromedp.WithPollingTimeout(limit)))
}

// Hover moves the mouse to a point of the window.
func (p *Page) Hover(x, y float64) {
	p.t.Helper()
	p.Do(chromedp.MouseEvent("mouseMoved", x, y))
}

// PDF returns the page as it is printed on A4.
func (p *Page) PDF(options ...chromedp.PDFOption) []byte {
	p.t.Helper()
	return Get(p, chromedp.PrintToPDF(append([]chromedp.PDFOption{chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()}, options...)...))
}
