package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

func newCompare(c console) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare SIGNALS [flags]",
		Short: "Run several methods on the same signals, side by side",
		Long: `Run several methods on the same signals, print one table and recommend a method.

The table has the time each took and the edges it found. With --truth it has the
precision, recall and F1 of the edges, as the method cut them and as many as are
true. Without the truth it shows how far the methods agree: the F1 between each
two of their graphs.

Either way methods are ranked by signals held out, and the truth has no part in
it. Signals are cut into folds of consecutive ones; each method learns from all
folds but one, and a Gaussian model with only the edges it found is fitted to
the same signals. How much likelier this makes the signals of the fold left out
than a model without edges is the held-out gain, in nats a signal. It is made
from edges alone and in the same way for all, so that it can be compared.
Recommended is the sparsest graph that keeps 90% of the best gain, because
denser ones nearly always predict a little better. Before that comes sparse if
its graph proves itself, or if the model of its codes makes the signals likelier
than the edges of any graph do.

A method that cannot work with the signals is a row that says why. What is
missing (empty cells, NaN, NA, null) is filled with means, but not for sparse.

` + aboutPreparation + `

` + aboutModel + `
What is chosen from all signals is kept in the folds.

Methods:
` + aboutMethods(),
		Example: `  nervure compare signals.csv
  nervure compare signals.csv --truth truth.csv --out comparison.json
  nervure compare signals.csv --methods sparse,correlation --edges 60`,
		Args:              oneArgument("the file of signals (or - for standard input)"),
		ValidArgsFunction: signalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.resolve(args[0])
			if err != nil {
				return err
			}
			ctx, cancel := untilEOF(cmd.Context(), c, f.untilEOF)
			defer cancel()
			return r.do(ctx, c)
		},
	}
	f.define(cmd)
	return cmd
}

// A compareRun is a compare command with its flags understood.
type compareRun struct {
	source  signalFile
	prepare preparer
	truth   string // path, or ""
	methods []string
	learner learner // all but the method
	folds   int     // to hold out; -1 means by size
	threads int     // as asked: 0 means all cores

	json     bool
	out      string // path, or ""
	quiet    bool
	progress progressMode
}

// do runs the methods one after another and prints what came of them.
func (r *compareRun) do(ctx context.Context, c console) error {
	inputs := []string{r.source.path}
	if r.truth != "" {
		inputs = append(inputs, r.truth)
	}
	if err := checkOutputs(r.outputs(nil), inputs...); err != nil {
		return err
	}
	data, err := await(ctx, func() (*comparedData, error) { return r.read(c) })
	if err != nil {
		return err
	}
	if err := r.source.checkUsable(data.signals.Y); err != nil {
		return err
	}
	r.source.note(c, r.quiet, data.signals)
	if data.prepared, err = await(ctx, func() (*preparation, error) { return r.prepare.prepare(data.signals, &r.source) }); err != nil {
		return err
	}
	data.prepared.tell(c, r.quiet)
	r.noteTruth(c, data.truth)

	record, err := r.compare(ctx, c, data)
	if err != nil {
		return err
	}
	if record.Interrupted && len(record.Methods) == 0 {
		return &interruption{"no method was done yet, nothing was written"}
	}
	failure, outputs, left := r.allFailed(record), r.outputs(record), ""
	switch {
	case failure != nil:
		outputs = nil
	case record.Interrupted && isFile(r.out): // which may be of a run that ended
		outputs, left = nil, fmt.Sprintf("; %s is left as it was", r.out)
	}
	written, err := writeOutputs(outputs)
	if r.json {
		err = errors.Join(err, writeJSON(c.out, record))
	} else {
		err = errors.Join(err, record.writeTable(c.out))
	}
	if !r.quiet {
		for _, w := range record.warnings() {
			fmt.Fprintln(c.err, wrapped("warning: "+w))
		}
		if len(written) > 0 {
			fmt.Fprintln(c.err, "wrote", strings.Join(written, ", "))
		}
	}
	switch {
	case record.Interrupted:
		outcome := fmt.Sprintf("%d of %s done, and shown%s", len(record.Methods), plural(len(r.methods), "method"), left)
		return errors.Join(&interruption{outcome}, err)
	case err != nil:
		return err
	}
	return failure
}

// noteTruth says that the truth is about few of the vertices, as when it belongs to
// other signals.
func (r *compareRun) noteTruth(c console, truth *graph.Graph) {
	if truth == nil || r.quiet {
		return
	}
	joined := 0
	for _, d := range truth.Degrees() {
		if d > 0 {
			joined++
		}
	}
	if n := truth.Vertices(); 2*joined < n {
		fmt.Fprintln(c.err, wrapped(fmt.Sprintf("note: %s joins only %d of %s; edges found between the others count as wrong",
			r.truth, joined, plural(n, "vertex"))))
	}
}

// allFailed is an error if no method learned a graph.
func (r *compareRun) allFailed(record *compareRecord) error {
	misfit := true
	for _, m := range record.Methods {
		if m.Error == "" {
			return nil
		}
		misfit = misfit && m.misfit
	}
	words := fmt.Sprintf("no method learned a graph; %s: %s", record.Methods[0].Method, record.Methods[0].Error)
	if misfit {
		return &input.Error{File: r.source.name(), Msg: words}
	}
	return errors.New(words)
}

// outputs lists the file to write, if any. It is checked without a record.
func (r *compareRun) outputs(record *compareRecord) []output {
	if r.out == "" {
		return nil
	}
	check := func(path string) error {
		if ext := strings.ToLower(filepath.Ext(path)); ext != ".json" && ext != ".csv" && !isDevice(path) {
			return misuse("--out %s: want a name that ends in .json or .csv", path)
		}
		return nil
	}
	return []output{{"--out", r.out, check, func(path string) error {
		return dataio.WriteFile(path, func(w io.Writer) error {
			if strings.ToLower(filepath.Ext(path)) == ".csv" {
				return record.writeCSV(w)
			}
			return writeJSON(w, record)
		})
	}}}
}
