// Package site turns the Markdown of the manual into a small static site that needs
// no host and no server.
package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A chapter is a heading of the navigation, with its pages by their file's name
// without .md.
type chapter struct {
	title string
	pages []string
}

// contents is the order in which the pages stand. A test holds it to the files.
var contents = []chapter{
	{"Start", []string{
		"index", "install", "tutorial", "cases", "howto", "python", "gallery", "languages", "go",
		"windows", "groups", "cluster",
	}},
	{"Understand", []string{"method", "fields", "notation", "design"}},
	{"Look up", []string{"reference", "methods", "faq"}},
	{"Evidence", []string{"summary", "paper", "real-data", "recordings", "reliability", "performance"}},
}

// A Site is the manual, read and rendered.
type Site struct {
	docs  string
	pages []*page
}

// Read renders every page of the contents, from the directory of their Markdown.
func Read(docs string) (*Site, error) {
	s := &Site{docs: docs}
	for _, c := range contents {
		for _, name := range c.pages {
			text, err := os.ReadFile(filepath.Join(docs, name+".md"))
			if err != nil {
				return nil, err
			}
			p, err := render(name, text)
			if err != nil {
				return nil, fmt.Errorf("%s.md: %w", name, err)
			}
			s.pages = append(s.pages, p)
		}
	}
	return s, nil
}

// page returns a page by its name, nil if there is none.
func (s *Site) page(name string) *page {
	for _, p := range s.pages {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// faults says what links of the pages lead nowhere.
func (s *Site) faults() []string {
	var faults []string
	for _, p := range s.pages {
		for _, to := range p.links {
			if what := s.fault(p, to); what != "" {
				faults = append(faults, fmt.Sprintf("%s.md: %s: %s", p.Name, to, what))
			}
		}
	}
	return faults
}

func (s *Site) fault(from *page, to string) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(to, "#")
	target := from
	switch name, ours := strings.CutSuffix(file, ".md"); {
	case file == "":
	case ours && !strings.Contains(file, "/"):
		if target = s.page(name); target == nil {
			return "no such page in the contents"
		}
	default:
		if _, err := os.Stat(filepath.Join(s.docs, filepath.FromSlash(file))); err != nil {
			return "no such file"
		}
		return ""
	}
	if anchor != "" && !slices.Contains(target.anchors, anchor) {
		return "no such heading"
	}
	return ""
}

// Pages counts the pages.
func (s *Site) Pages() int { return len(s.pages) }

// Write writes the site to a directory, which it creates if need be. A link that
// leads nowhere is an error, and nothing is written then.
func (s *Site) Write(out string) error {
	if faults := s.faults(); len(faults) > 0 {
		return fmt.Errorf("links that lead nowhere: %s", strings.Join(faults, "; "))
	}
	files := map[string][]byte{}
	for k, p := range s.pages {
		html, err := s.html(k)
		if err != nil {
			return err
		}
		files[p.Name+".html"] = html
		for _, image := range p.images {
			data, err := os.ReadFile(filepath.Join(s.docs, filepath.FromSlash(image)))
			if err != nil {
				return err
			}
			files[path.Clean(image)] = data
		}
	}
	if err := addAssets(files, s.pages); err != nil {
		return err
	}
	for name, data := range files {
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

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
