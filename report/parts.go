package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io/fs"

	"github.com/nervure/nervure/internal/figure"
)

//go:embed list.html
var listText string

var listTemplate = template.Must(template.New("list").Parse(listText))

// ListPage returns a page about many graphs: what a template makes of data, in a frame
// that looks like the report's. It is a single file, has no script, and makes no requests.
func ListPage(title string, body *template.Template, data any) ([]byte, error) {
	style := ""
	for _, name := range []string{"theme.css", "report.css", "list.css"} {
		part, err := fs.ReadFile(Assets(), name)
		if err != nil {
			return nil, err
		}
		style += string(part)
	}
	var inner, page bytes.Buffer
	if err := body.Execute(&inner, data); err != nil {
		return nil, err
	}
	err := listTemplate.Execute(&page, struct {
		Title     string
		Style     template.CSS
		StyleHash string
		Body      template.HTML
	}{title, template.CSS(style), hash(style), template.HTML(inner.String())})
	return page.Bytes(), err
}

// Picture returns a drawing as the address of an image, for such pages.
func Picture(d figure.Drawing) (template.URL, error) {
	var b bytes.Buffer
	if err := figure.Write(&b, figure.SVG, figure.Page{}, d); err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}
