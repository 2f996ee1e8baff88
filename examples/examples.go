// Package examples holds signals to try things on: leaf, which is made up and has
// a true graph, and molene, which was measured.
package examples

import (
	"embed"
	"io/fs"
	"slices"
)

//go:embed leaf/*.csv molene/*.csv
var files embed.FS

// Names lists the examples.
func Names() []string { return []string{"leaf", "molene"} }

// About says in a line what the signals of an example are; "" if there is none of
// that name.
func About(name string) string {
	switch name {
	case "leaf":
		return "Leaf: 200 synthetic signals at 24 sensors, with known ground truth"
	case "molene":
		return "Molène: hourly temperatures at weather stations in Brittany"
	}
	return ""
}

// The files of an example.
const (
	Signals  = "signals.csv"
	Truth    = "truth.csv"    // its edges, or the best that is known of them
	Vertices = "vertices.csv" // their places
)

// Open opens a file of an example.
func Open(name, file string) (fs.File, error) {
	if !slices.Contains(Names(), name) {
		return nil, fs.ErrNotExist
	}
	return files.Open(name + "/" + file)
}
