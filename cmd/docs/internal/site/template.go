package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
)

//go:embed assets
var assets embed.FS

var layout = template.Must(template.ParseFS(assets, "assets/page.html"))

// html is the k-th page within its frame.
func (s *Site) html(k int) ([]byte, error) {
	type entry struct {
		Name, Title string
		Here        bool
	}
	type group struct {
		Title string
		Pages []entry
	}
	data := struct {
		*page
		Chapters       []group
		Previous, Next *page
	}{page: s.pages[k]}
	for _, c := range contents {
		g := group{Title: c.title}
		for _, name := range c.pages {
			g.Pages = append(g.Pages, entry{name, s.page(name).Title, name == data.Name})
		}
		data.Chapters = append(data.Chapters, g)
	}
	if k > 0 {
		data.Previous = s.pages[k-1]
	}
	if k+1 < len(s.pages) {
		data.Next = s.pages[k+1]
	}
	var b bytes.Buffer
	err := layout.Execute(&b, data)
	return b.Bytes(), err
}

// addAssets adds what all pages share. The words to search are a script, because
// a page opened from disk may not fetch a file.
func addAssets(files map[string][]byte, pages []*page) error {
	for _, name := range []string{"manual.css", "manual.js"} {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		files[name] = data
	}
	type entry struct {
		Page     string    `json:"page"`
		Title    string    `json:"title"`
		Sections []section `json:"sections"`
	}
	var index []entry
	for _, p := range pages {
		index = append(index, entry{p.Name, p.Title, p.Sections})
	}
	words, err := json.Marshal(index)
	if err != nil {
		return err
	}
	files["search.js"] = append(append([]byte("window.manual = "), words...), ";\n"...)
	return nil
}
