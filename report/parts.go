package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io/fs"
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
