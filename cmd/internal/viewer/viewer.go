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
	"io/fs"
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
