package study

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
)

const (
	// groupsName is what the entry of the journal is called that lists what is about groups.
	groupsName = "groups"
	// fileUnit is what a unit is called that is a file.
	fileUnit = "file"
	// mostCompared is how many values at most are compared, of all pairs in all files: they take 2 GB.
	mostCompared = 40_000_000
)

// addGroups compares the groups, if that was asked for, and writes what was found. Why they cannot be compared is
// part of the index.
func (r *run) addGroups(ctx context.Context, index *document.Index, c *comparison) error {
	out := newFolder()
	if r.Groups != nil {
		g := &Groups{Unit: fileUnit, Exact: true, taken: r.names}
		err := r.compareGroups(ctx, g, c)
		if err == nil {
			g.addTo(out, r.groupCommand())
			err = out.err
		}
		index.NotCompared = g.left
		switch fault := input.Find(err); {
		case err == nil:
			index.Answer = g.Answer()
			if err := out.attempt(r.Dir, "groups.html", g.page("Do the graphs differ?", r.groupCommand())); err != nil {
				r.lost = append(r.lost, err)
			}
		case fault != nil:
			index.Unanswered = fault.Fault()
		default:
			return err
		}
	}
	if err := refuseOverwriting(r.Dir, out.names(), slices.Concat(r.Files, r.Spare)); err != nil {
		return err
	}
	isGone := func(file string) bool { return out.files[file] == nil && !r.madeByAnother(file) }
	if err := r.removeOld(groupsName, isGone); err != nil {
		return err
	}
	if len(out.files) == 0 {
		delete(r.done, groupsName)
		return nil
	}
	e := entry{Name: groupsName}
	e.note(out)
	if err := r.append(e); err != nil { // before the files, so that none is left behind
		return err
	}
	return out.writeInto(r.Dir)
}

// madeByAnother reports whether a file is not of the groups, but of an input that was given since then.
func (r *run) madeByAnother(file string) bool {
	for name, e := range r.done {
		if _, ok := e.Made[file]; ok && name != groupsName {
			return true
		}
	}
	return false
}

// groupCommand says by what groups were compared.
func (r *run) groupCommand() string {
	said := []string{"nervure batch … --groups", cmp.Or(r.Groups.Argument, r.Groups.File)}
	for _, flag := range [][2]string{{"by", r.Groups.By}, {"paired", r.Groups.Paired}, {"covariate", r.Groups.Covariate}} {
		if flag[1] != "" {
			said = append(said, "--"+flag[0], flag[1])
		}
	}
	return strings.Join(said, " ")
}

// compareGroups compares the graphs that were learned.
func (r *run) compareGroups(ctx context.Context, g *Groups, c *comparison) error {
	s, err := r.Groups.of(r.Files)
	if err != nil {
		return err
	}
	g.left = s.left
	g.Notes = slices.Concat(s.notes, s.left)
	var units []unit
	var kept []int
	for k, place := range s.files {
		j := r.jobs[place]
		if fault := r.done[j.name].Row.Error; fault != "" {
			g.Notes = append(g.Notes, fmt.Sprintf("%s has no graph and is not compared: %s", j.file, fault))
			continue
		}
		u, err := r.unit(j.name)
		if err != nil {
			return err
		}
		u.place = slices.Index(c.names, j.name)
		g.Method = r.done[j.name].Row.Method
		g.Units = append(g.Units, j.name)
		units, kept = append(units, u), append(kept, k)
	}
	if len(units) == 0 {
		return input.Completef(groupsOp, "files", "no file has both a graph and a group")
	}
	if err := g.nameVertices(units); err != nil {
		return err
	}
	if g.Design, err = r.Groups.designOf(s, kept, func(k int) string { return units[k].name }); err != nil {
		return err
	}
	g.alike = c.among(units)
	if err := r.fillGroups(ctx, g, units, c); err != nil {
		return err
	}
	if g.Value == partialCorrelation {
		g.noteNoise(units)
		err = g.poolUnits(units)
	}
	return err
}

// nameVertices finds the vertices that all units have.
func (g *Groups) nameVertices(units []unit) error {
	g.Names = commonNames(g, units)
	pairs := len(g.Names) * (len(g.Names) - 1) / 2
	switch {
	case len(g.Names) < leastCommon:
		return input.Completef(groupsOp, "files", "the files have only %s in common, and groups are compared by those", words.Plural(len(g.Names), "vertex"))
	case pairs > mostCompared/len(units):
		return input.Completef(groupsOp, "files", "%s of %d vertices have more than %s million values to compare: learn from fewer vertices", words.Plural(len(units), "file"), len(g.Names), words.Thousands(mostCompared/1e6))
	}
	return nil
}

// fillGroups tests the groups and finds their graphs.
func (r *run) fillGroups(ctx context.Context, g *Groups, units []unit, c *comparison) error {
	var err error
	if g.partial, err = groups.OfCorrelations(g.Names, correlations(g.Names, units)); err != nil {
		return err
	}
	g.Values, g.Value = g.partial, partialCorrelation
	if entry, ok := nervure.MethodByName(g.Method); ok && (entry.Has(method.HasCodes) || entry.Has(method.DirectedEdges)) {
		g.Values, g.Value = c.weights(g.Names, units), edgeWeight
	}
	o := groups.Options{Permutations: r.Groups.Permutations, Seed: r.Learn.Seed, Threads: r.Threads}
	if g.Test, err = groups.Test(ctx, g.Values, g.Design, o); err != nil {
		return err
	}
	g.noteSize()
	g.noteLengths(units)
	for k := range len(g.Test.Levels) + 1 {
		var members []unit
		var places []int
		for u := range units {
			if k == len(g.Test.Levels) || g.Design.Groups[u] == g.Test.Levels[k] {
				members, places = append(members, units[u]), append(places, u)
			}
		}
		of, err := g.graphOf(members, places, c)
		if fault := input.Find(err); fault != nil {
			who := "all files together"
			if k < len(g.Test.Levels) {
				who = g.Test.Levels[k]
			}
			g.Notes = append(g.Notes, fmt.Sprintf("%s: no graph, for it has %s and needs 3", who, words.Plural(len(members), "file")))
			of, err = g.build(nil)
		}
		if err != nil {
			return err
		}
		g.Graphs = append(g.Graphs, of)
	}
	return nil
}

// unit reads what is known of a file that was learned from.
func (r *run) unit(name string) (unit, error) {
	u := unit{name: name}
	content, err := durable.ReadFile(filepath.Join(r.Dir, name+correlationsEnd+".json"))
	if err == nil {
		err = json.Unmarshal(content, &u.found)
	}
	return u, err
}
