// Package viewer is the web page of nervure, and the two ways it can run: over a
// local server, or from static files that learn in the browser.
//
// A job of the page is a command line of nervure. The [Server] checks it against
// a list of what may be asked, runs it as a process of its own in a directory of
// its own, and streams what it says; the static site ([Export]) runs the same
// command line as WebAssembly. So the page shows exactly what ran, and a person
// can type it.
package viewer

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/report"
)

//go:embed assets
var embedded embed.FS

// assets are the files of the page.
func assets() fs.FS {
	sub, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // the directory is embedded above
	}
	return sub
}

// A Config is what the page has to know of the program.
type Config struct {
	Version string   `json:"version"`
	Methods []Method `json:"methods"`
	Samples []Sample `json:"samples"`
}

// A Method is a way to learn a graph.
type Method struct {
	Name   string  `json:"name"`
	About  string  `json:"about"`
	Params []Param `json:"params"`
}

// A Param is what a method can be tuned by.
type Param struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// A Sample is a set of signals that the program has inside.
type Sample struct {
	Name  string `json:"name"` // such as sample:leaf
	About string `json:"about"`
}

// pageConfig is the Config as the page gets it.
type pageConfig struct {
	Config
	formats
	Backend   string `json:"backend"` // server or browser
	MaxUpload int64  `json:"max_upload,omitzero"`
}

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

// formats are the file formats that the page names, by their extensions.
type formats struct {
	Signals   []dataio.Format `json:"signals"`   // that signals are read from
	Variables []dataio.Format `json:"variables"` // those of them that hold several arrays
	Vertices  []dataio.Format `json:"vertices"`  // that a table about vertices is read from
	Graphs    []dataio.Format `json:"graphs"`    // that a graph can be downloaded as
	Opens     []dataio.Format `json:"opens"`     // that a graph is opened from
}

func newFormats() formats {
	isVariant := func(f dataio.Format) bool { return f.Describe().VariantOf != "" }
	return formats{
		Signals:   dataio.Formats(dataio.ReadsSignals),
		Variables: dataio.Formats(dataio.HoldsVariables),
		Vertices:  dataio.Formats(dataio.ReadsVertexTables),
		Opens:     dataio.Formats(dataio.ReadsGraphs),
		Graphs:    slices.DeleteFunc(dataio.Formats(dataio.WritesGraphs), isVariant),
	}
}
