package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/internal/repository"
)

// WalkResults is what the commands of the walk printed when they were last run,
// and the graphs they wrote, as a file of the repository.
const WalkResults = "docs/results/molene.txtar"

// A Step is commands of docs/real-data.md, by the name of their place there.
type Step struct {
	Name     string
	Commands string // one in each line
}

// Walk is the way through a set of real data, in order, in one directory.
var Walk = []Step{
	{"look", "nervure learn examples/molene/signals.csv --confidence no --out first.csv\n"},
	{"difference", "nervure learn examples/molene/signals.csv --difference --out graph.csv\nhead -n 4 graph.csv\n"},
	{"compare", "nervure compare examples/molene/signals.csv --difference\n"},
	{"truth", "nervure evaluate --truth examples/molene/truth.csv first.csv\nnervure evaluate --truth examples/molene/truth.csv graph.csv\n"},
	{"gaps", `awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; i++) if ((7*NR + 13*i) % 50 == 0) $i = "" } 1' examples/molene/signals.csv > gaps.csv
nervure learn gaps.csv --difference --confidence no --out gaps-graph.csv
nervure evaluate --truth graph.csv gaps-graph.csv
`},
}

// WalkGraph is the graph of the walk that the page draws.
const WalkGraph = "graph.csv"

// walkGraphs are the files that are kept of the walk.
var walkGraphs = []string{"first.csv", WalkGraph, "gaps-graph.csv"}

// walk runs the walk in a copy of the examples, and keeps what ReadWalk reads.
func walk(ctx context.Context, o Options) error {
	return repository.WithTool(ctx, o.Root, func(bin string) error {
		dir := filepath.Join(bin, "walk")
		if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(o.Root, "examples"))); err != nil {
			return err
		}
		text, err := runWalk(ctx, terminal.Terminal{Dir: dir, Bin: bin})
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(o.Root, WalkResults), text, 0o644)
	})
}

// runWalk runs the walk in a terminal whose directory has examples/molene, and
// returns what ReadWalk reads.
func runWalk(ctx context.Context, t terminal.Terminal) ([]byte, error) {
	kept := &txtar.Archive{}
	for _, s := range Walk {
		screen, err := t.Show(ctx, s.Commands)
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", s.Name, err, screen)
		}
		kept.Files = append(kept.Files, txtar.File{Name: s.Name, Data: []byte(screen)})
	}
	for _, name := range walkGraphs {
		data, err := os.ReadFile(filepath.Join(t.Dir, name))
		if err != nil {
			return nil, err
		}
		kept.Files = append(kept.Files, txtar.File{Name: name, Data: data})
	}
	return txtar.Format(kept), nil
}

// ReadWalk returns what was kept of the walk, by the names of steps and graphs;
// nothing if it was never run.
func ReadWalk(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, WalkResults))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	kept := map[string]string{}
	for _, f := range txtar.Parse(text).Files {
		kept[f.Name] = string(f.Data)
	}
	return kept, nil
}
