package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/words"
)

const (
	// stackedRows is about how many rows of all files together are looked at to choose a model.
	stackedRows = 20_000
	// leastStretch is how many rows of a file are looked at at least: where there are too many
	// files for that, some at equal distances stand for all.
	leastStretch = 50
	// leastCommon is how many vertices files must have in common to be learned together.
	leastCommon = 3
)

// A stretch is consecutive rows of a file: in others the order in time would be lost.
type stretch struct {
	file  string
	names []string
	y     *mat.Dense // vertices by rows
	all   int        // how many rows the file has
	timed bool       // and whether they have times
}

// readStretches reads the files of a run, all but those that cannot be read, which are rows of
// the index that say why. Of long ones it takes the middle.
func (a learnArgs) readStretches(o dataio.ReadOptions, open inputs.Opener) []stretch {
	var list []stretch
	most := max(stackedRows/len(a.Run.Read.Files), leastStretch)
	for _, file := range a.Run.Read.Files {
		set, err := inputs.Signals(file, o, open)
		if err != nil {
			continue
		}
		_, m := set.Y.Dims()
		list = append(list, stretch{file, set.Names, middle(set.Y, most), m, set.Times != nil})
	}
	return list
}

// middle returns at most that many columns of y, from its middle.
func middle(y *mat.Dense, most int) *mat.Dense {
	n, m := y.Dims()
	if m <= most {
		return y
	}
	from := (m - most) / 2
	return mat.DenseCopyOf(y.Slice(0, n, from, from+most))
}

// commonVertices returns the vertices that all files have, in the order of the first, and what is
// to be said of files whose vertices are not those of most.
func commonVertices(list []stretch) (common []string, notes map[string]string) {
	count := map[string]int{}
	var all []string // in the order in which they are seen
	for _, s := range list {
		for _, name := range s.names {
			if count[name]++; count[name] == 1 {
				all = append(all, name)
			}
		}
	}
	notes = map[string]string{}
	for _, s := range list {
		has := map[string]bool{}
		for _, name := range s.names {
			has[name] = true
		}
		var lacks, extra []string
		for _, name := range all {
			switch usual := 2*count[name] > len(list); {
			case usual && !has[name]:
				lacks = append(lacks, name)
			case !usual && has[name]:
				extra = append(extra, name)
			}
		}
		var parts []string
		if lacks != nil {
			parts = append(parts, "lacks "+someOf(lacks))
		}
		if extra != nil {
			parts = append(parts, "has vertices that most files do not have: "+someOf(extra))
		}
		if parts != nil {
			notes[s.file] = strings.Join(parts, "; ")
		}
	}
	for _, name := range all {
		if count[name] == len(list) {
			common = append(common, name)
		}
	}
	return common, notes
}

// someOf lists the first of some names.
func someOf(names []string) string {
	const most = 4
	if len(names) <= most {
		return words.List(names, "and")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most-1], ", "), len(names)-most+1)
}

// restricted returns a stretch with the given vertices only, in their order.
func (s stretch) restricted(names []string) stretch {
	if slices.Equal(s.names, names) {
		return s
	}
	at := map[string]int{}
	for i, name := range s.names {
		at[name] = i
	}
	rows := make([]int, len(names))
	for k, name := range names {
		rows[k] = at[name]
	}
	s.names, s.y = names, matrix.Rows(s.y, rows)
	return s
}

// spacedStretches returns at most that many, from the first to the last.
func spacedStretches(list []stretch, most int) []stretch {
	if len(list) <= most {
		return list
	}
	some := make([]stretch, most)
	for k := range some {
		some[k] = list[k*(len(list)-1)/(most-1)]
	}
	return some
}

// stacked returns the signals of all stretches, each vertex of each standardised, so that recordings
// in different units can be learned from together.
func stacked(ctx context.Context, list []stretch) (*nervure.Signals, error) {
	all := &nervure.Signals{Names: list[0].names}
	columns := 0
	for _, s := range list {
		_, m := s.y.Dims()
		columns += m
	}
	all.Y = mat.NewDense(len(all.Names), columns, nil)
	from := 0
	for _, s := range list {
		z, err := standardised(ctx, s.y)
		if err != nil {
			return nil, err
		}
		n, m := z.Dims()
		all.Y.Slice(0, n, from, from+m).(*mat.Dense).Copy(z)
		from += m
	}
	return all, nil
}
