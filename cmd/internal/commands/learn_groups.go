package commands

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/study"
)

// groupingOf returns what a document says of groups.
func groupingOf(g document.RunGroups) study.Grouping {
	return study.Grouping{By: g.By, Paired: g.Paired, Covariate: g.Covariate, Permutations: g.Permutations}
}

// doGroups learns a graph for each group of rows, and writes how they differ.
func (r *learnRun) doGroups(ctx context.Context, c views.Console, s *signals.Set) error {
	threads, restore := useThreads(r.Threads)
	defer restore()
	r.options.Threads = threads
	o := study.GroupOptions{Grouping: groupingOf(r.doc.Groups), Learn: r.options}
	found, err := study.LearnGroups(ctx, s, o)
	switch {
	case err != nil && ctx.Err() != nil:
		return views.Interrupted("nothing was written")
	case err != nil:
		return r.explainFault(err)
	}
	dir := r.doc.Write.Graph
	if dir == "" {
		table := csv.NewWriter(c.Out)
		if err := table.WriteAll(found.Differences()); err != nil {
			return err
		}
	} else {
		title := "Do the graphs differ?"
		if r.source.path() != "-" {
			title += " " + filepath.Base(r.source.path())
		}
		spare := append(slices.Clone(r.doc.Read.Files), r.doc.Besides()...)
		if err := found.Write(dir, spare, title, arguments.CommandLine(*r.doc)); err != nil {
			return err
		}
	}
	if r.Quiet {
		return errors.Join(found.Faults...)
	}
	for _, note := range found.Notes {
		c.Note("%s", note)
	}
	c.Say(found.Answer())
	if dir != "" {
		fmt.Fprintln(c.Err, "open "+filepath.Join(dir, "index.html"))
	}
	return errors.Join(found.Faults...)
}
