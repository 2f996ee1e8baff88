package site

import (
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

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
