// Package codeblock runs the code blocks of the README and of the manual as they
// are written.
package codeblock

import (
	"regexp"
	"strings"
)

// A Block is a piece of a page that is run: a fenced block marked sh, python,
// matlab, r or console checked; or a comment "setup", which makes files that stand
// for those of the reader. A block marked python and a path is not run: it shows
// that file of the repository.
type Block struct {
	Kind string
	Text string

	from, to int // of the text in the page
}

// File is the path of the file that the block shows, "" if it is run.
func (b Block) File() string {
	if path, ok := strings.CutPrefix(b.Kind, "python "); ok {
		return path
	}
	return ""
}

var runnable = regexp.MustCompile("(?ms)^```(sh|python(?: \\S+\\.py)?|matlab|r|console checked)\n(.*?)^```$|^<!-- (setup)\n(.*?)^-->$")

// Blocks returns the blocks of a page that are run, in order.
func Blocks(page string) []Block {
	var blocks []Block
	for _, m := range runnable.FindAllStringSubmatchIndex(page, -1) {
		if m[2] < 0 { // a comment
			m[2], m[3], m[4], m[5] = m[6], m[7], m[8], m[9]
		}
		blocks = append(blocks, Block{page[m[2]:m[3]], page[m[4]:m[5]], m[4], m[5]})
	}
	return blocks
}
