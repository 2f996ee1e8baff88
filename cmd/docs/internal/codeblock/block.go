// Package codeblock runs the code blocks of the README and of the manual as they
// are written.
package codeblock

import "regexp"

// A Block is a piece of a page that is run: a fenced block marked sh, python,
// matlab, r or console checked; or a comment "setup", which makes files that stand
// for those of the reader.
type Block struct {
	Kind string
	Text string

	from, to int // of the text in the page
}

var runnable = regexp.MustCompile("(?ms)^```(sh|python|matlab|r|console checked)\n(.*?)^```$|^<!-- (setup)\n(.*?)^-->$")

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
