package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/task"
)

// The folder: NAME.csv, NAME.json and NAME.html for each file, what is about all, and the
// journal. What a task gives is written first, then its entry in the journal, each file
// as a whole or not at all. So a run that is stopped loses nothing but the tasks at work.

// reserved are the names of what is about all.
var reserved = []string{"index", "edges", "mean", "distances", allName, priorName, "journal", groupsName, "group", "differences", "vertices", "units", "values", "pairs", "alike"}

// outputNames returns how each file is called in the folder: by its own name, with some
// of its directories or a number where two would be called the same.
func outputNames(files []string) []string {
	names, depth := make([]string, len(files)), make([]int, len(files))
	for {
		taken := map[string][]int{} // some file systems do not tell A from a
		for k, file := range files {
			names[k] = outputName(file, depth[k])
			lower := strings.ToLower(names[k])
			taken[lower] = append(taken[lower], k)
		}
		longer := false
		for _, alike := range taken {
			for _, k := range alike {
				if len(alike) > 1 && depth[k] < mostDirectories {
					depth[k]++
					longer = true
				}
			}
		}
		if !longer {
			return numbered(names)
		}
	}
}

// numbered adds numbers to names that are there for the second time.
func numbered(names []string) []string {
	taken := map[string]bool{}
	for _, name := range names {
		taken[strings.ToLower(name)] = true
	}
	seen := map[string]bool{}
	for k, name := range names {
		for number := 2; seen[strings.ToLower(names[k])]; number++ {
			if names[k] = fmt.Sprintf("%s-%d", name, number); taken[strings.ToLower(names[k])] {
				names[k] = name // somebody else's
			}
		}
		seen[strings.ToLower(names[k])] = true
	}
	return names
}

// mostDirectories is how many directories of a path at most become part of a name.
const mostDirectories = 8

// outputName is a file's name without extensions of formats, after that many of its
// directories.
func outputName(file string, directories int) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(file)), "/")
	last := len(parts) - 1
	parts[last] = bareName(parts[last])
	parts = slices.DeleteFunc(parts[max(last-directories, 0):], func(part string) bool { return part == "" || part == "." || part == ".." })
	name := strings.Join(parts, "_")
	if lower := strings.ToLower(name); name == "" || slices.Contains(reserved, lower) || strings.HasSuffix(lower, correlationsEnd) || strings.HasSuffix(lower, pooledEnd) {
		name += "_graph"
	}
	return name
}

// bareName is the name of a file without folders and the extensions of formats.
func bareName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// checkOutputs refuses a folder in which an output would take the place of an input.
func (s Batch) checkOutputs(names []string) error {
	var written []string
	for _, name := range slices.Concat(names, reserved) {
		for _, extension := range []string{".csv", ".json", ".html", ".jsonl", ".svg"} {
			written = append(written, name+extension)
		}
	}
	return refuseOverwriting(s.Dir, written, slices.Concat(s.Files, s.Spare))
}

// taskKey is a hash of all that the result of a task depends on.
func taskKey(t task.Task) task.Hash {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // strings and bytes
	}
	return task.HashOf(text)
}

// isDone reports whether the journal has a result of the same key by the same program,
// whose files are all there as they were written.
func (r *run) isDone(name string, key task.Hash) bool {
	e, ok := r.done[name]
	if !ok || e.Key != r.built(key) || e.Lost {
		r.forget(name)
		return false
	}
	for file, hash := range e.Made {
		content, err := os.ReadFile(filepath.Join(r.Dir, file))
		if err != nil || string(task.HashOf(content)) != hash {
			r.forget(name)
			return false
		}
	}
	return true
}

func (r *run) forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.done, name)
}

// built is a key of what this program makes of it.
func (r *run) built(key task.Hash) task.Hash {
	return task.HashOf([]byte(string(key) + "\n" + r.Build))
}

// enter writes what came of a file, and then its entry.
func (r *run) enter(key task.Hash, j job, o outcome, result task.Result) error {
	name := result.ID
	row := document.IndexRow{Name: name, File: j.file, Input: string(j.hash), Error: result.Fault}
	e := entry{Name: name, Key: r.built(key), Union: o.Union, Lost: result.Lost}
	made := newFolder()
	if o.Graph != nil {
		var summary document.Summary
		if err := json.Unmarshal(o.Summary, &summary); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		made.files[name+".csv"], made.files[name+".json"] = o.Graph, o.Summary
		if name == allName && r.SharedPrior > 0 { // it is both
			made.files[priorName+".csv"], made.files[priorName+".json"] = o.Graph, o.Summary
		}
		if o.Correlations != nil {
			made.files[name+correlationsEnd+".json"] = o.Correlations
		}
		if o.Report != nil {
			made.files[name+".html"] = o.Report
		}
		if o.ReportFault != "" {
			r.lost = append(r.lost, fmt.Errorf("%s: %s", filepath.Join(r.Dir, name+".html"), o.ReportFault))
			e.Lost = true
		}
		for _, f := range o.Faults {
			r.lost = append(r.lost, fmt.Errorf("%s: %w", name, f))
			e.Lost = true
		}
		row.Describe(&summary)
		e.Directed = summary.Directed
	}
	if result.Broken != nil {
		r.lost = append(r.lost, result.Broken)
	}
	e.Row = row
	if err := made.writeInto(r.Dir); err != nil {
		return err
	}
	e.note(made)
	if err := r.removeOld(name, func(file string) bool { return made.files[file] == nil }); err != nil {
		return err
	}
	return r.append(e)
}

// note says in an entry which files were made.
func (e *entry) note(made *folder) {
	e.Made = map[string]string{}
	for file, content := range made.files {
		e.Made[file] = string(task.HashOf(content))
	}
}

// removeOld removes files that an entry of an earlier run has, with other settings.
func (r *run) removeOld(name string, isGone func(file string) bool) error {
	for file := range r.made[name] {
		if isGone(file) {
			if err := remove(r.Dir, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// append adds an entry to the journal.
func (r *run) append(e entry) error {
	if err := r.journal.Append(e); err != nil {
		return durable.Unusable(filepath.Join(r.Dir, journalFile), err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[e.Name] = e
	return nil
}

// finish writes what is about all, and the journal again in the order of the files.
func (r *run) finish(ctx context.Context) (*document.Index, error) {
	index := &document.Index{Apart: r.union.Apart, Rows: []document.IndexRow{}}
	if !r.Each {
		index.Model = r.union.Model
	}
	var ordered []entry
	if e, ok := r.done[r.together()]; ok {
		ordered = append(ordered, e)
	}
	for _, j := range r.jobs {
		e := r.done[j.name]
		ordered = append(ordered, e)
		e.Row.Note = r.union.Notes[j.file]
		index.Add(e.Row)
	}
	c, err := r.compare()
	if err != nil {
		return nil, err
	}
	if err := r.addGroups(ctx, index, c); err != nil {
		return nil, err
	}
	if e, ok := r.done[groupsName]; ok {
		ordered = append(ordered, e)
	}
	out := newFolder()
	c.addTo(out)
	if r.Report {
		err := out.attempt(r.Dir, "index.html", func(w io.Writer) error { return r.page(w, index, c) })
		if err != nil {
			r.lost = append(r.lost, err)
			if err := remove(r.Dir, "index.html"); err != nil { // that of an earlier run is not about this one
				return nil, err
			}
		}
	}
	out.document("index.json", index)
	out.add("index.csv", index.WriteCSV)
	out.add(journalFile, func(w io.Writer) error {
		text, err := durable.JournalText(ordered...)
		_, fault := w.Write(text)
		return errors.Join(err, fault)
	})
	if out.err != nil {
		return nil, out.err
	}
	return index, out.writeInto(r.Dir)
}
