package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
)

// demoSamplePath is the sample that is shown.
const demoSamplePath = inputs.SamplePrefix + "leaf"

// A demonstration is the demo's sample.
type demonstration struct {
	signals *signals.Set
	truth   *graph.Graph
	about   *dataio.VertexTable // their places
}

func newDemo(c views.Console) *cobra.Command {
	f := &arguments.Demo{}
	cmd := &cobra.Command{
		Use:   "demo [flags]",
		Short: "Learn and draw the graph of a built-in sample",
		Long: `Learn the graph of a small built-in sample, draw it, and compare it with the
ground truth.`,
		Example: `  nervure demo
  nervure demo --out leaf`,
		Args: arguments.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := readDemo()
			if err != nil {
				return err
			}
			return d.do(cmd.Context(), c, f.Out)
		},
	}
	f.Define(cmd)
	return cmd
}

// readDemoFile reads a file of the sample, which demo_sample_test.go makes.
func readDemoFile(name string) ([]byte, error) {
	f, err := inputs.Open(demoSamplePath, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func readDemo() (*demonstration, error) {
	signals, err := inputs.Signals(demoSamplePath, dataio.ReadOptions{}, inputs.Open)
	if err != nil {
		return nil, err
	}
	truth, err := readGraph(demoSamplePath, signals.Names)
	if err != nil {
		return nil, err
	}
	about, _, err := readVertices(demoSamplePath, signals.Names)
	return &demonstration{signals, truth, about}, err
}

func (d *demonstration) do(ctx context.Context, c views.Console, out string) error {
	if out != "" {
		if err := durable.MakeDirectory(out); err != nil {
			return err
		}
		if err := checkOutputs(d.outputs(out, nil)); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	n, m := d.signals.Y.Dims()
	fmt.Fprintf(&page, `%d sensors on a leaf were read %d times. Which of them are connected by a vein?
Nervure sees only the readings. It models each one as a sum of up to four
patterns that spread along the veins, and looks for the veins.

`, n, m)
	analysis, err := nervure.Learn(ctx, d.signals, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}, Confidence: nervure.No})
	if ctx.Err() != nil {
		return views.Interrupted("nothing was written")
	}
	if err != nil {
		return err
	}
	score, err := document.Evaluate(analysis.Graph, d.truth)
	if err != nil {
		return err
	}
	picture := plot.Against("the veins of a leaf, learned from signals", analysis.Graph, d.truth, d.about)
	page.WriteString(picture.Text(views.Columns-1, 22, views.Charset(os.Getenv)))
	fmt.Fprintf(&page, "\n%s, found in %s.\nThe result is %s.\n", foundSentence(score), views.InWords(analysis.Duration.Seconds()), analysis.Verdict)
	if out != "" {
		if _, err := writeOutputs(ctx, d.outputs(out, &demoResult{analysis.Graph, picture})); err != nil {
			return err
		}
		fmt.Fprintf(&page, "Wrote signals.csv, truth.csv, vertices.csv, graph.csv and graph.svg to %s.\n", out)
	}
	d.next(&page, out)
	_, err = c.Out.Write(page.Bytes())
	return errors.Join(errors.Join(analysis.Faults...), err)
}

// foundSentence says how the edges found compare with the true ones.
func foundSentence(s *document.Evaluation) string {
	missed, wrong := s.EdgesTrue-s.Correct, s.EdgesFound-s.Correct
	if missed == 0 && wrong == 0 {
		return fmt.Sprintf("All %d true edges and no others (F1 = 1)", s.EdgesTrue)
	}
	return fmt.Sprintf("%d of %d true edges and %d false ones (F1 = %.3f; missed edges are dotted, false edges marked x)", s.Correct, s.EdgesTrue, wrong, s.F1)
}

// next prints commands that work as they stand.
func (d *demonstration) next(w io.Writer, dir string) {
	fmt.Fprint(w, "\nNext:\n")
	if dir == "" {
		dir = "leaf"
		fmt.Fprintf(w, "  %s demo --out %s\n", views.Program(), dir)
	}
	file := func(name string) string { return arguments.Quoted(filepath.Join(dir, name)) }
	fmt.Fprintf(w, "  %s learn %s --out %s --report %s\n", views.Program(), file("signals.csv"), file("learned.csv"), file("page.html"))
	fmt.Fprintf(w, "  %s evaluate --truth %s %s\n", views.Program(), file("truth.csv"), file("learned.csv"))
}

type demoResult struct {
	graph   *graph.Graph
	picture figure.Network
}

// outputs lists the files of demo --out. They are checked without a result.
func (d *demonstration) outputs(dir string, r *demoResult) []output {
	copied := func(name string) output {
		return output{"--out", filepath.Join(dir, name), nil, toFile(func(w io.Writer) error {
			b, err := readDemoFile(name)
			if err == nil {
				_, err = w.Write(b)
			}
			return err
		})}
	}
	return []output{
		copied("signals.csv"), copied("truth.csv"), copied("vertices.csv"),
		{"--out", filepath.Join(dir, "graph.csv"), nil, func(path string) error { return dataio.WriteGraph(path, r.graph) }},
		{"--out", filepath.Join(dir, "graph.svg"), nil, func(path string) error { return dataio.WriteFile(path, r.picture.SVG) }},
	}
}
