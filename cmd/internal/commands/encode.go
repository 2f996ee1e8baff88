package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/model"
	"github.com/nervure/nervure/signals"
)

// An encodeRun is an encode command.
type encodeRun struct {
	*arguments.Encode
	source signalFile
}

func newEncode(c views.Console, stdin io.Reader) *cobra.Command {
	r := &encodeRun{Encode: &arguments.Encode{}}
	cmd := &cobra.Command{
		Use:   "encode SIGNALS --model FILE.json [flags]",
		Short: "Code, denoise and score new signals on a learned graph",
		Long: `Apply a model written by nervure learn --model to new signals of the same
vertices, which are matched by name. The new signals are preprocessed like those
learned from, with the same means and scales.

The score says how well the learned edges predict the new signals: how much
likelier the signals are under a Gaussian that has only these edges than under
one without edges, in nats per signal. Both are fitted to the signals that were
learned from; nervure compare ranks methods by the same number. With method
field, the first is the field itself if that explains those signals better. If
the score is above 0, the edges help. It is computed for graphs of all methods
but causal, with up to 2000 vertices. A missing value counts as the mean of its
vertex; the field leaves it out.

If the method was sparse, each signal is also coded by a few atoms of the graph
(--codes). The sum of these atoms is the signal without most of its noise and
with its gaps filled (--out). The share explained is how much of the energy of
the signals they account for.

If the method was field, --out has what is expected of the field, given the
signals: it has no noise and no gaps. --residuals shows which values do not fit
in with those of the other vertices. The deviation of a signal is its energy in
standard units for each of its values: about 1 if it is like the signals that
were learned from. Signals are unusual if theirs is larger than that of all but
one in a thousand. A vertex that had no values to learn from, or always the same,
is not judged: its values count as missing. There is no such model of a graph
with negative edges; --param signed=2 learns one without.`,
		Example: `  nervure learn signals.csv --method sparse --out graph.csv --model model.json
  nervure encode new.csv --model model.json
  nervure encode new.csv --model model.json --codes codes.npz \
    --out denoised.csv --json
  nervure encode new.csv --model field-model.json --residuals residuals.csv`,
		Args:              arguments.OneArgument("the signals file (or - for standard input)"),
		ValidArgsFunction: arguments.SignalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.source = signalsOf(r.Asked.Read, args[0], stdin)
			r.source.options.KeepEmpty = true // a vertex may be missing from a few signals
			return r.do(cmd.Context(), c)
		},
	}
	r.Define(cmd)
	return cmd
}

// An encoded is what there is to say and to write about new signals.
type encoded struct {
	document.Encoded
	set      *signals.Set // as read
	encoding *model.Encoding
	denoised *signals.Set
	residual *signals.Set
	unscored string   // why there is no score
	unjudged []string // vertices that are not
	withheld bool     // the edges of the model were
}

func (r *encodeRun) do(ctx context.Context, c views.Console) error {
	if r.Model == "" {
		return arguments.Misuse("--model is missing: give the file that nervure learn --model has written")
	}
	if err := checkOutputs(r.outputs(nil), append(r.source.inputs(), r.Model)...); err != nil {
		return err
	}
	threads, restore := useThreads(r.Threads)
	defer restore()
	done, err := await(ctx, func() (*encoded, error) { return r.encode(c, threads) })
	if err != nil {
		return err
	}
	r.source.note(c, r.Quiet, done.set)
	written, err := writeOutputs(ctx, r.outputs(done))
	if r.JSON {
		err = errors.Join(err, document.Write(c.Out, done.Encoded))
	} else {
		err = errors.Join(err, views.PrintEncoded(c.Out, done.Encoded))
	}
	if r.Quiet {
		return err
	}
	if done.unscored != "" {
		c.Note("no score: %s", done.unscored)
	}
	if done.withheld {
		c.Note("the signals that the model was learned from show no structure: its edges may be chance")
	}
	views.TellUnjudged(c, done.unjudged)
	if len(written) > 0 {
		verb := "coded"
		if done.residual != nil {
			verb = "judged"
		}
		c.Say(fmt.Sprintf("%s %s%s", verb, views.Plural(done.Signals, "signal"), views.WroteWords(written)))
	}
	return err
}

// wantsCodes reports whether anything is to be written that needs them.
func (r *encodeRun) wantsCodes() bool { return r.Codes != "" || r.Out != "" }

// encode does the work.
func (r *encodeRun) encode(c views.Console, threads int) (*encoded, error) {
	model, err := readModel(r.Model)
	if err != nil {
		return nil, err
	}
	if fault := r.refuse(model); fault != "" {
		return nil, &input.Error{File: r.Model, Msg: fault}
	}
	model.Threads = threads
	done := &encoded{unscored: model.Unscored(), withheld: model.Withheld()}
	if done.set, err = r.source.read(c, r.Quiet); err != nil {
		return nil, err
	}
	_, done.Signals = done.set.Y.Dims()
	own, known := nervure.MethodByName(model.Method)
	done.Edges, done.Direct = model.Graph.EdgeCount(), known && own.Has(method.DirectOnly)
	done.ShareNeeded = assess.ShareNeeded(done.Direct)
	names := model.Graph.Names()
	if _, err := done.set.OnVertices("", names); err != nil {
		return nil, r.explain(err, done.set)
	}
	r.source.hint = "" // the names show which way round the table is
	if done.unscored == "" {
		score, err := model.Score(done.set)
		if err != nil {
			return nil, r.explain(err, done.set)
		}
		done.Score = document.Finite(score)
	}
	if model.HasField() {
		return done, r.expect(done, model)
	}
	if !model.HasCodes() || model.Differences() {
		return done, nil
	}
	if done.encoding, err = model.Encode(done.set); err != nil {
		return nil, r.explain(err, done.set)
	}
	done.Explained = document.Finite(done.encoding.Explained)
	denoised := &signals.Set{Y: done.encoding.Denoised, Names: names, Times: done.set.Times}
	done.denoised, err = denoised.OnVertices("", done.set.Names) // in the order in which they came
	return done, err
}

// expect does the work of a model that is a field.
func (r *encodeRun) expect(done *encoded, m *model.Model) error {
	expected, err := m.Expect(done.set)
	if err != nil {
		return r.explain(err, done.set)
	}
	done.Deviation, done.Unusual, done.unjudged = expected.ChiSquare, []int{}, expected.Unjudged
	for _, k := range expected.Unusual {
		done.Unusual = append(done.Unusual, k+1)
	}
	names, times := m.Graph.Names(), done.set.Times
	if expected.Denoised != nil {
		denoised := &signals.Set{Y: expected.Denoised, Names: names, Times: times}
		if done.denoised, err = denoised.OnVertices("", done.set.Names); err != nil { // in the order in which they came
			return err
		}
	}
	if _, count := expected.Residuals.Dims(); times != nil {
		times = times[len(times)-count:] // differences belong to the later of two
	}
	residual := &signals.Set{Y: expected.Residuals, Names: names, Times: times}
	if residual, err = residual.OnVertices("", done.set.Names); err != nil {
		return err
	}
	done.residual, _ = withoutEmpty(residual.Y, residual.Names) // a table has no vertices without values
	done.residual.Times = times
	return nil
}

// refuse says why a model cannot do what is asked for; "" if it can.
func (r *encodeRun) refuse(m *model.Model) string {
	const mend = ": leave out --codes and --out, or learn the graph with "
	fieldless := m.Fieldless()
	switch wantsField := r.Residuals != "" || r.Out != ""; {
	case wantsField && fieldless != "" && m.Graph.Negative() > 0:
		return fieldless + ": leave out --residuals and --out, or learn a graph of positive edges with --method field --param signed=2"
	case wantsField && fieldless != "":
		return fieldless + ": leave out --residuals and --out"
	case !m.HasField() && r.Residuals != "":
		return fmt.Sprintf("the model of method %s has no field, and so no residuals: leave out --residuals, or learn a graph with edges by --method field", m.Method)
	case (m.HasField() || fieldless != "") && r.Codes != "":
		return "the method field has no codes: leave out --codes, or learn the graph with --method sparse"
	case m.HasField() && m.Differences() && r.Out != "":
		return "the model is of differences in time, which cannot be put together again: leave out --out, or learn the graph with no --difference"
	case m.HasField():
		return ""
	case !m.HasCodes() && r.wantsCodes():
		return fmt.Sprintf("the method %s has no codes%s--method sparse", m.Method, mend)
	case m.Differences() && r.wantsCodes():
		return "the model is of differences in time, which cannot be put together again" + mend + "no --difference"
	case !m.HasCodes() && m.Unscored() != "":
		return "there is neither a score nor codes: " + m.Unscored()
	}
	return ""
}

// explain words what is wrong with the signals.
func (r *encodeRun) explain(err error, set *signals.Set) error {
	e := input.Find(err)
	if e != nil && e.Field == input.Names && slices.Equal(set.Names, graph.DefaultNames(len(set.Names))) {
		return &input.Error{File: r.source.name(), Msg: e.Msg + ", as the model has: give the names of the vertices with --names"}
	}
	if e != nil && e.Field == input.Names {
		return &input.Error{File: r.source.name(), Msg: e.Msg + ", as the model has: use signals of the same vertices"}
	}
	if e != nil && e.Field == input.Log { // the flag was that of learn
		return inputs.InFile(e, r.source.name(), r.source.hint)
	}
	return r.source.explain(err, nil)
}

// readModel reads a model from a file.
func readModel(path string) (*model.Model, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := model.Read(file)
	if e := input.Find(err); e != nil {
		e.File = path
	}
	return m, err
}

// outputs lists the files to write.
func (r *encodeRun) outputs(done *encoded) []output {
	return []output{
		{"--codes", r.Codes, dataio.HoldsMatrices.Check, func(path string) error { return dataio.WriteCodes(path, done.encoding.Codes) }},
		{"--out", r.Out, checkSignalsName, func(path string) error { return writeSignals(path, done.denoised) }},
		{"--residuals", r.Residuals, checkSignalsName, func(path string) error { return writeSignals(path, done.residual) }},
	}
}
