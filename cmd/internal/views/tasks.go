package views

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/study"
)

// A TasksProgress shows how far many tasks have come.
type TasksProgress struct {
	Progress
	name string // of what they belong to, which then says nothing of workers and rates
	noun string // what a task is about
	Last study.Progress
	told string // the line that was printed last
}

// NewTasksProgress shows on a stream how far tasks about a noun have come.
func NewTasksProgress(w io.Writer, mode arguments.ProgressMode, noun string) *TasksProgress {
	return &TasksProgress{Progress: *NewProgress(w, mode), noun: noun}
}

// NewExperimentProgress shows how far one of several experiments has come.
func NewExperimentProgress(w io.Writer, mode arguments.ProgressMode, name string, place, of int) *TasksProgress {
	if of > 1 {
		name = fmt.Sprintf("%s (%d of %d)", name, place, of)
	}
	p := NewTasksProgress(w, mode, "result")
	p.name = name
	return p
}

// Show shows how far they have come.
func (p *TasksProgress) Show(s study.Progress) {
	p.Last = s
	over := s.Done + s.Failed
	line := fmt.Sprintf("%d of %s", over, Plural(s.Total, p.noun))
	if s.Failed > 0 {
		line += fmt.Sprintf(", %d failed", s.Failed)
	}
	if p.name == "" {
		line += ", " + Plural(s.Workers, "worker")
	} else {
		line = p.name + ": " + line
	}
	told := line
	switch {
	case s.Fresh == 0 && over > 0 && over < s.Total:
		line += ", resuming"
	case s.Fresh > 0 && over < s.Total:
		each := s.Elapsed.Seconds() / float64(s.Fresh)
		if p.name == "" {
			line += fmt.Sprintf(", %.3g %ss/s", 1/each, p.noun)
		}
		line += fmt.Sprintf(", about %s left", InWords(each*float64(s.Total-over)))
	}
	switch {
	case p.mode == arguments.ProgressPlain && over > 0 && told != p.told: // not each time somebody asks
		fmt.Fprintln(p.w, line)
		p.told = told
	case p.mode == progressLog:
		p.beat.is(line, false)
	case p.mode == progressLine && time.Since(p.shown) >= betweenUpdates:
		p.overwrite(line)
		p.shown = time.Now()
	}
}

// AlteredWarning returns a function that says, the first time there are any, how many lines
// of a file of results are not what was written.
func AlteredWarning(c Console, path, done string) func(lines int) {
	told := false
	return func(lines int) {
		if lines == 0 || told {
			return
		}
		told = true
		c.Warn("%s of %s: what was there is %s again", Plural(lines, "altered line"), path, done)
	}
}

// PrintTables writes tables for people.
func PrintTables(w io.Writer, tables []experiment.Table) error {
	for k, t := range tables {
		if k > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, t.Title)
		if err := printRows(w, t); err != nil {
			return err
		}
		for _, note := range t.Notes {
			fmt.Fprintln(w, Wrapped(note))
		}
	}
	return nil
}

func printRows(w io.Writer, t experiment.Table) error {
	var b strings.Builder
	columns := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// TellBatch says what was learned, by what, and where to look.
func TellBatch(c Console, dir string, pages bool, index *document.Index) {
	verdicts := map[string]int{}
	for _, row := range index.Rows {
		verdicts[row.Verdict]++
	}
	line := fmt.Sprintf("learned %s from %s", Plural(index.Learned, "graph"), Plural(index.Files, "file"))
	for _, grade := range []string{"exact", "supported", "weak", "no structure", "not checked"} {
		if verdicts[grade] > 0 {
			line += fmt.Sprintf(", %d %s", verdicts[grade], grade)
		}
	}
	c.Say(line)
	if m := index.Model; m != nil {
		c.Say(m.Sentence(index.Files))
	}
	if index.Apart != "" {
		c.Warn("%s: choices were made for each file by itself, so that graphs may differ because of them", index.Apart)
	}
	tellSome(c, index, dir, "different vertices", func(r document.IndexRow) string {
		if r.Note == "" {
			return ""
		}
		return r.File + " " + r.Note
	})
	for k, why := range index.NotCompared {
		if k == mostTold {
			fmt.Fprintf(c.Err, "and %d more: %s/groups.html\n", len(index.NotCompared)-mostTold, dir)
			break
		}
		c.Warn("%s", why)
	}
	if index.Answer != "" {
		c.Say(index.Answer)
		fmt.Fprintln(c.Err, "open "+dir+"/groups.html")
	}
	next := dir + "/index.csv has them all"
	if pages {
		next = "open " + dir + "/index.html"
	}
	fmt.Fprintln(c.Err, next)
}

// TellFailed says which files have no graph, and why.
func TellFailed(c Console, dir string, index *document.Index) {
	tellSome(c, index, dir, "no graph", func(r document.IndexRow) string { return r.Error })
}

// tellSome says something of the first files there is something to say of.
func tellSome(c Console, index *document.Index, dir, what string, say func(document.IndexRow) string) {
	told := 0
	for _, row := range index.Rows {
		sentence := say(row)
		if sentence == "" {
			continue
		}
		if told++; told <= mostTold {
			c.Say(what + ": " + sentence)
		}
	}
	if told > mostTold {
		fmt.Fprintf(c.Err, "%s: and %d more: %s/index.csv\n", what, told-mostTold, dir)
	}
}

// mostTold is of how many files something is said at the end.
const mostTold = 10
