package report

import (
	"bytes"
	"embed"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"regexp"
	"strings"
)

//go:embed assets
var files embed.FS

// Assets returns the style sheets and scripts of the report, for other pages to
// share: the scripts are ES modules that import one another by their names.
func Assets() fs.FS {
	assets, err := fs.Sub(files, "assets")
	if err != nil {
		panic(err) // the name is one we embedded
	}
	return assets
}

// The style sheets and the scripts of the page. A script comes after those it needs.
var (
	styles  = []string{"theme.css", "graph.css", "report.css"}
	scripts = []string{
		"words.js", "dom.js", "palette.js",
		"graph_data.js", "graph_model.js", "graph_state.js", "graph_camera.js", "graph_tip.js", "graph_labels.js", "graph_paint.js", "graph_frames.js", "graph_hand.js", "graph_legend.js",
		"graph_panel.js", "graph_part.js", "graph_svg.js", "graph_picture.js", "graph.js", "graph_link.js",
		"chart.js", "heatmap.js", "sections.js", "timeline.js", "frame.js", "report.js",
	}
)

// joined returns the text of some assets, one after the other.
func joined(names []string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(Assets(), name)
		if err != nil {
			return "", fmt.Errorf("report: %w", err)
		}
		b.Write(text)
	}
	return b.String(), nil
}

// importLine and exportWord are what modules have between them. In one file they
// share their names, which is why no two of them may use the same.
var (
	importLine = regexp.MustCompile(`(?m)^import .*;\n`)
	exportWord = regexp.MustCompile(`(?m)^export `)
)

// oneModule returns scripts as a single module that needs no other file.
func oneModule(names []string) (string, error) {
	text, err := joined(names)
	if err != nil {
		return "", err
	}
	return exportWord.ReplaceAllString(importLine.ReplaceAllString(text, ""), ""), nil
}

//go:embed list.html
var listText string

var listTemplate = template.Must(template.New("list").Parse(listText))

// ListPage writes a page about many graphs: what a template makes of data, in a frame
// that looks like the report's. It is a single file, has no script, and makes no requests.
func ListPage(w io.Writer, title string, body *template.Template, data any) error {
	style, err := joined([]string{"theme.css", "report.css", "list.css"})
	if err != nil {
		return err
	}
	var inner bytes.Buffer
	if err := body.Execute(&inner, data); err != nil {
		return err
	}
	return listTemplate.Execute(w, struct {
		Title     string
		Style     template.CSS
		StyleHash string
		Body      template.HTML
	}{title, template.CSS(style), hash(style), template.HTML(inner.String())})
}
