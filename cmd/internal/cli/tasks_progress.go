package cli

import (
	"fmt"
	"time"

	"github.com/nervure/nervure/study"
)

// A tasksProgress shows how far many tasks have come.
type tasksProgress struct {
	progress
	noun string // what a task is about
	last study.Progress
	told string // the line that was printed last
}

func (p *tasksProgress) show(s study.Progress) {
	p.last = s
	over := s.Done + s.Failed
	line := fmt.Sprintf("%d of %s", over, plural(s.Total, p.noun))
	if s.Failed > 0 {
		line += fmt.Sprintf(", %d failed", s.Failed)
	}
	line += ", " + plural(s.Workers, "worker")
	told := line
	switch {
	case s.Fresh == 0 && over > 0 && over < s.Total:
		line += ", resuming"
	case s.Fresh > 0 && over < s.Total:
		each := s.Elapsed.Seconds() / float64(s.Fresh)
		line += fmt.Sprintf(", %.3g %ss/s, about %s left", 1/each, p.noun, inWords(each*float64(s.Total-over)))
	}
	switch {
	case p.mode == progressPlain && over > 0 && told != p.told: // not each time somebody asks
		fmt.Fprintln(p.w, line)
		p.told = told
	case p.mode == progressLine && time.Since(p.shown) >= betweenUpdates:
		p.overwrite(line)
		p.shown = time.Now()
	}
}

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
