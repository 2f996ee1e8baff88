package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A runProgress shows how far an experiment has come.
type runProgress struct {
	progress
	name string // of the experiment, and its place among several
}

func newRunProgress(w io.Writer, mode progressMode, name string, place, of int) *runProgress {
	if of > 1 {
		name = fmt.Sprintf("%s (%d of %d)", name, place, of)
	}
	return &runProgress{*newProgress(w, mode), name}
}

func (p *runProgress) show(s experiment.Progress) {
	line := fmt.Sprintf("%s: %d of %s", p.name, s.Done, plural(s.Total, "result"))
	switch {
	case s.Fresh == 0 && s.Done > 0 && s.Done < s.Total:
		line += ", resuming"
	case s.Fresh > 0 && s.Done < s.Total:
		line += fmt.Sprintf(", about %s left", inWords(s.Left().Seconds()))
	}
	switch {
	case p.mode == progressPlain && (s.Fresh > 0 || s.Done > 0):
		fmt.Fprintln(p.w, line)
	case p.mode == progressLine && time.Since(p.shown) >= betweenUpdates:
		p.overwrite(line)
		p.shown = time.Now()
	}
}

// printTables writes tables for people.
func printTables(w io.Writer, tables []experiment.Table) error {
	for k, t := range tables {
		if k > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, t.Title)
		if err := printRows(w, t); err != nil {
			return err
		}
		for _, note := range t.Notes {
			fmt.Fprintln(w, wrapped(note))
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
