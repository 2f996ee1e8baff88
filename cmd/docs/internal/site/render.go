package site

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"html/template"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// repository is where files live that are not part of the site.
const repository = "https://github.com/nervure/nervure/blob/main/"

// A page is one file of Markdown, rendered.
type page struct {
	Name     string
	Title    string // its first heading
	Body     template.HTML
	Sections []section
	anchors  []string // of all headings
	links    []string // as written
	images   []string // relative to docs
}

// A section is a heading of the second or third rank and the words below it, for
// the list beside the page and for the search.
type section struct {
	Rank   int    `json:"-"`
	Title  string `json:"title"`
	Anchor string `json:"anchor"`
	Words  string `json:"words"`
}

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(
		goldmarkhtml.WithUnsafe(), // for the comments in our own pages; nobody else's text comes here
		renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100)),
	),
)

func render(name string, source []byte) (*page, error) {
	p := &page{Name: name}
	context := parser.NewContext(parser.WithIDs(&headingIDs{taken: map[string]int{}}))
	root := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))
	p.collect(root, source)
	if p.Title == "" {
		return nil, errors.New("the page has no heading of the first rank")
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, root); err != nil {
		return nil, err
	}
	p.Body = template.HTML(body.String())
	return p, nil
}

// collect notes headings, links and images, and makes links fit the site.
func (p *page) collect(root ast.Node, source []byte) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			p.heading(n, source)
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
			n.Destination = []byte(onSite(string(n.Destination)))
		case *ast.Image:
			p.images = append(p.images, string(n.Destination))
			p.links = append(p.links, string(n.Destination))
		case *ast.Paragraph, *ast.TextBlock:
			p.addWords(plain(n, source))
		case *ast.FencedCodeBlock:
			p.addWords(string(n.Lines().Value(source)))
		}
		return ast.WalkContinue, nil
	})
}

func (p *page) heading(n *ast.Heading, source []byte) {
	id, _ := n.AttributeString("id")
	anchor, _ := id.([]byte)
	title := plain(n, source)
	p.anchors = append(p.anchors, string(anchor))
	switch {
	case n.Level == 1 && p.Title == "":
		p.Title = title
	case n.Level == 2 || n.Level == 3:
		p.Sections = append(p.Sections, section{Rank: n.Level, Title: title, Anchor: string(anchor)})
	default:
		p.addWords(title)
	}
}

// addWords adds to what a search finds in the last section.
func (p *page) addWords(words string) {
	if len(p.Sections) == 0 {
		p.Sections = append(p.Sections, section{})
	}
	last := &p.Sections[len(p.Sections)-1]
	last.Words = strings.TrimSpace(last.Words + " " + strings.Join(strings.Fields(words), " "))
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(source))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// onSite is where a link of a page leads on the site: other pages are HTML there,
// and what lies outside docs is at the repository.
func onSite(to string) string {
	file, anchor, found := strings.Cut(to, "#")
	if found {
		anchor = "#" + anchor
	}
	switch {
	case file == "" || strings.Contains(to, ":"):
		return to
	case strings.HasPrefix(file, "../"):
		return repository + strings.TrimPrefix(path.Clean("docs/"+file), "./") + anchor
	case strings.HasSuffix(file, ".md") && !strings.Contains(file, "/"):
		return strings.TrimSuffix(file, ".md") + ".html" + anchor
	}
	return repository + path.Clean("docs/"+file) + anchor
}

// headingIDs names headings as code hosts do, so that a link to a heading works
// there and here.
type headingIDs struct{ taken map[string]int }

func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(string(value)) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	id := b.String()
	k := h.taken[id]
	h.taken[id]++
	if k > 0 {
		id += "-" + strconv.Itoa(k)
	}
	return []byte(id)
}

func (h *headingIDs) Put(value []byte) { h.taken[string(value)]++ }

// languages that blocks of the pages are marked with.
var languages = []string{"sh", "console", "text", "python", "matlab", "r", "go", "json", "csv"}

// known reports whether a block's language is one that we style.
func known(language string) bool { return slices.Contains(languages, language) }

// blocks renders code so that what is typed stands out: in console blocks the
// commands, in sh blocks all but the comments.
type blocks struct{}

func (b blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, b.code)
	r.Register(ast.KindCodeSpan, b.span)
}

// span keeps a flag or name in one line; a longer piece of code may be broken.
func (blocks) span(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text, class := plain(node, source), ""
	if !strings.Contains(text, " ") && len(text) <= longestWord {
		class = ` class="word"`
	}
	fmt.Fprintf(w, "<code%s>%s</code>", class, html.EscapeString(text))
	return ast.WalkSkipChildren, nil
}

// longestWord fits a narrow screen.
const longestWord = 28

func (blocks) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.FencedCodeBlock)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	language := string(n.Language(source))
	if language != "" && !known(language) {
		return ast.WalkStop, fmt.Errorf("a block is marked %q; want one of %s", language, strings.Join(languages, ", "))
	}
	fmt.Fprintf(w, "<pre class=%q tabindex=\"0\"><code>", "block "+language)
	for line := range strings.Lines(string(n.Lines().Value(source))) {
		_, _ = w.WriteString(codeLine(language, line))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// codeLine is a line of code as HTML, its newline kept.
func codeLine(language, line string) string {
	command, prompt := strings.CutPrefix(line, "$ ")
	switch {
	case language == "console" && prompt:
		return `<b><i>$ </i>` + html.EscapeString(strings.TrimSuffix(command, "\n")) + "</b>\n"
	case language == "sh" || language == "python":
		if at := commentAt(line); at >= 0 {
			return html.EscapeString(line[:at]) + "<i>" + html.EscapeString(strings.TrimSuffix(line[at:], "\n")) + "</i>\n"
		}
	}
	return html.EscapeString(line)
}

// commentAt returns where a comment begins in a line of shell or Python, or -1.
func commentAt(line string) int {
	if strings.HasPrefix(line, "#") {
		return 0
	}
	if at := strings.Index(line, " # "); at >= 0 {
		return at + 1
	}
	return -1
}
