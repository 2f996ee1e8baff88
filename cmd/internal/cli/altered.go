package cli

import "fmt"

// alteredWarning returns a function that says, the first time there are any, how many lines
// of a file of results are not what was written.
func alteredWarning(c console, path, done string) func(lines int) {
	told := false
	return func(lines int) {
		if lines == 0 || told {
			return
		}
		told = true
		fmt.Fprintln(c.err, wrapped(fmt.Sprintf("warning: %s of %s: what was there is %s again", plural(lines, "altered line"), path, done)))
	}
}
