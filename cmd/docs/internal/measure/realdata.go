package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
)

// Auto is the name by which scores of learn are kept that was given no method.
const Auto = "auto"

// patienceWithData is after how long a command is interrupted; what it has by then counts.
const patienceWithData = 20 * time.Minute

// realStages have a cell for each set.
func realStages(o Options) ([]experiment.Stage, error) {
	var list []Cell
	for _, s := range Sets {
		list = append(list, cell(func(ctx context.Context, _ uint64) (Values, error) {
			dir, err := os.MkdirTemp("", "nervure-realdata-")
			if err != nil {
				return nil, err
			}
			defer func() { _ = os.RemoveAll(dir) }()
			_, known, err := s.read(filepath.Join(o.Data, s.Name), dir)
			if err != nil {
				return nil, err
			}
			u := &user{tool: o.Tool, limit: patienceWithData, log: o.Log, set: s, dir: dir, known: known}
			return u.measure(ctx)
		}, experiment.Text("set", s.Name)))
	}
	return []experiment.Stage{{Name: experiment.Measuring, Seeds: once, Cells: list}}, nil
}

// A user runs the tool on a set, in a directory of its own, and does not see the truth.
type user struct {
	tool  string
	limit time.Duration
	log   io.Writer
	set   Set
	dir   string
	known Target
}

// measure learns by the method that the tool chooses, with confidence, asks compare for advice, and learns by
// every method with its own number of edges and with the number asked for. Scores are F1, or the share of
// edges inside groups.
func (u *user) measure(ctx context.Context) (Values, error) {
	asked := max(u.known.Edges(), u.set.edges)
	v := Values{"asked": float64(asked), "chance": u.known.chance()}
	if err := u.method(ctx, v, Auto, asked, "--summary", "summary.json"); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(u.dir, "summary.json")); err == nil { // without edges, too, there is a verdict
		if err := u.readSummary(v); err != nil {
			return nil, err
		}
	}
	compared, err := u.compare(ctx, v)
	if err != nil {
		return nil, err
	}
	for _, name := range compared {
		if err := u.method(ctx, v, name, asked, "--confidence", "no"); err != nil {
			return nil, err
		}
	}
	v["methods"] = strings.Join(append([]string{Auto}, compared...), ", ")
	return v, nil
}

// method learns by a method with its own number of edges, and with the one asked for.
func (u *user) method(ctx context.Context, v Values, name string, asked int, extra ...string) error {
	scores := Values{"found": 0.0, "own": 0.0, "asked": 0.0, "seconds": 0.0, "failed": "", "interrupted": 0.0}
	defer func() { put(v, name+".", scores) }()
	begin := time.Now()
	own, err := u.run(ctx, "learn", name+".csv", append([]string{"--method", name}, extra...)...)
	if err != nil || !own.made {
		scores["failed"] = "no graph"
		return err
	}
	scores["seconds"] = time.Since(begin).Seconds()
	if err := u.score(scores, "own", name+".csv"); err != nil {
		return err
	}
	cut, err := u.run(ctx, "learn", "asked.csv", "--method", name, "--edges", strconv.Itoa(asked), "--confidence", "no")
	scores["interrupted"] = flag(own.interrupted || cut.interrupted)
	if err != nil || !cut.made {
		scores["failed"] = fmt.Sprintf("no graph of %d edges", asked)
		return err
	}
	return u.score(scores, "asked", "asked.csv")
}

func (u *user) graph(name string) (*graph.Graph, error) {
	return dataio.ReadGraph(filepath.Join(u.dir, name), u.known.names)
}

// score puts the score of a graph on record, and of its own how many edges it has.
func (u *user) score(v Values, as, file string) error {
	g, err := u.graph(file)
	if err != nil {
		return err
	}
	if as == "own" {
		v["found"] = float64(g.EdgeCount())
	}
	v[as], err = u.known.score(g)
	return err
}

// readSummary has what the tool chose, and counts the edges that it is sure of.
func (u *user) readSummary(v Values) error {
	var summary document.Summary
	if err := u.readJSON("summary.json", &summary); err != nil {
		return err
	}
	if summary.Choice != nil && summary.Choice.Predicted != nil {
		v["predicted"] = *summary.Choice.Predicted
	}
	v["vertices"], v["signals"] = float64(summary.Vertices), float64(summary.Signals)
	v["chosen"], v["verdict"], v["prepared"] = summary.Method, summary.Verdict, summary.Preparation.Sentence
	g, err := u.graph(Auto + ".csv")
	if err != nil || g.Confidence() == nil {
		return err
	}
	sure := sureEdges(g)
	v["sure"], v["sure_true"] = float64(len(sure)), float64(u.known.Right(sure))
	return nil
}

// compare asks which method to take and returns those that were compared.
func (u *user) compare(ctx context.Context, v Values) ([]string, error) {
	v["recommended"], v["interrupted"] = "", 0.0
	args := []string{"--time-limit", "0"} // so that it can be repeated on other machines
	if u.set.Methods != nil {
		args = append(args, "--methods", strings.Join(u.set.Methods, ","))
	}
	done, err := u.run(ctx, "compare", "comparison.json", args...)
	if err != nil || !done.made {
		return nil, err
	}
	var comparison document.Comparison
	if err := u.readJSON("comparison.json", &comparison); err != nil {
		return nil, err
	}
	v["interrupted"] = flag(done.interrupted)
	if comparison.Recommendation != nil {
		v["recommended"] = comparison.Recommendation.Method
	}
	var names []string
	for _, c := range comparison.Methods {
		if c.Error == "" {
			names = append(names, c.Method)
		}
	}
	return names, nil
}

func (u *user) readJSON(name string, to any) error {
	text, err := os.ReadFile(filepath.Join(u.dir, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// An ending is how a command of the tool ended.
type ending struct {
	made        bool // it wrote its file, which it may when it is interrupted too
	interrupted bool
}

// run runs the tool on the signals, with what a user would say about them. It is an
// error if ctx ends.
func (u *user) run(ctx context.Context, command, out string, args ...string) (ending, error) {
	path := filepath.Join(u.dir, out)
	if err := os.RemoveAll(path); err != nil { // of an earlier command
		return ending{}, err
	}
	limited, cancel := context.WithTimeout(ctx, u.limit)
	defer cancel()
	args = slices.Concat([]string{command, u.set.signals()}, u.set.Flags, args, []string{"--out", out, "--quiet"})
	cmd := exec.CommandContext(limited, u.tool, args...)
	cmd.Dir = u.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	words, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ending{}, ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(u.log, "%s: nervure %s: %s", u.set.Name, strings.Join(args, " "), words)
	}
	_, none := os.Stat(path)
	return ending{made: none == nil, interrupted: limited.Err() != nil}, nil
}
