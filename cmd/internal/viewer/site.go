package viewer

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"path"

	"github.com/nervure/nervure/report"
)

// siteFiles returns the files of the page by path: its own, those of the report
// that it shares, and what it has to know.
func siteFiles(c pageConfig) (map[string][]byte, error) {
	files := map[string][]byte{}
	for dir, source := range map[string]fs.FS{"": assets(), "report": report.Assets()} {
		err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			files[path.Join(dir, name)], err = fs.ReadFile(source, name)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	c.formats = newFormats()
	config, err := json.MarshalIndent(c, "", "  ")
	files["config.json"] = append(config, '\n')
	return files, err
}

// page serves the files of the page.
func (s *Server) page() http.Handler {
	files, err := siteFiles(pageConfig{Config: s.config, Backend: "server", MaxUpload: s.limits.Upload})
	if err != nil {
		panic(err) // what is embedded can be read
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.URL.Path)[1:]
		if name == "" {
			name = "index.html"
		}
		content, ok := files[name]
		if !ok {
			answer(w, refuse(http.StatusNotFound, "there is no page %q", r.URL.Path))
			return
		}
		w.Header().Set("Content-Type", contentType(name))
		_, _ = w.Write(content) // who has left needs no answer
	})
}
