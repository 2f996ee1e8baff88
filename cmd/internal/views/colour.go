package views

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nervure/nervure"
)

// A colour is how a terminal is told to write what follows.
type colour string

const (
	bold   colour = "1"
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
)

// gradeColours are those of verdicts.
var gradeColours = map[nervure.Grade]colour{
	nervure.Exact: green, nervure.Supported: green, nervure.Weak: yellow, nervure.NoStructure: red, nervure.NotChecked: yellow,
}

// isColoured reports whether a stream is a terminal that is to have colours. NO_COLOR forbids them.
func isColoured(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "" && os.Getenv("TERM") != "dumb" && Watched(w)
}

// printHead prints a line that begins with a head, which is coloured where that is possible.
func printHead(w io.Writer, c colour, head, line string) {
	rest, ok := strings.CutPrefix(line, head)
	if !ok || !isColoured(w) {
		fmt.Fprintln(w, line)
		return
	}
	raw := unguarded(w) // what is cited in the line must not be taken for orders
	fmt.Fprintf(raw, "\x1b[%sm", c)
	fmt.Fprint(w, head)
	fmt.Fprint(raw, "\x1b[0m")
	fmt.Fprintln(w, rest)
}

// heading is the heading of a part of a help.
func heading(w io.Writer, title string) string {
	if title += ":"; isColoured(w) {
		return fmt.Sprintf("\x1b[%sm%s\x1b[0m", bold, title)
	}
	return title
}
