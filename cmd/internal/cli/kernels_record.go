package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

// A kernelsRecord is what kernels prints and writes. Its keys are a promise.
type kernelsRecord struct {
	Version  string          `json:"version"`
	Vertices int             `json:"vertices"`
	Signals  int             `json:"signals"`
	Edges    int             `json:"edges"`
	Free     bool            `json:"free"`
	Kernels  []learnedKernel `json:"kernels"`
	Sparsity int             `json:"sparsity"`
	Residual float64         `json:"residual"` // ‖Y − DX‖²/‖Y‖²
	Counts   []countRecord   `json:"counts"`   // how many kernels were tried, if that was to be found
	Rounds   int             `json:"rounds"`
	Starts   int             `json:"starts"`
	Status   solver.Status   `json:"status"`
	Seconds  float64         `json:"seconds"`
	Seed     uint64          `json:"seed"`
	Threads  int             `json:"threads"`
	Warnings []string        `json:"warnings"`
	Lambda   []float64       `json:"lambda"` // where the values of the kernels are given

	Preparation preparationRecord `json:"preparation"`

	kernels []kernel.Kernel
}

// A learnedKernel is a kernel that was learned.
type learnedKernel struct {
	kernelRecord
	Scale  float64   `json:"scale,omitzero"` // within its family
	Values []float64 `json:"values"`
}

// A countRecord says how well so many kernels describe signals set aside.
type countRecord struct {
	Kernels       int     `json:"kernels"`
	Residual      float64 `json:"residual"`
	Cost          float64 `json:"cost"`           // in nats a signal
	StandardError float64 `json:"standard_error"` // of the difference to the least cost
}

// roundingError is a share of the signals' energy that is no more than that.
const roundingError = 1e-18

// tableSteps is how finely kernels are tabulated over [0, 2].
const tableSteps = 40

func (r *kernelsRun) record(data *signalsOnGraph, result *learn.KernelResult, seconds float64) *kernelsRecord {
	n, m := data.prepared.y.Dims()
	k := &kernelsRecord{
		Version: version(), Vertices: n, Signals: m, Edges: data.graph.EdgeCount(), Free: r.options.Kernels == nil,
		Sparsity: result.Options.Sparsity, Residual: result.Residual, Counts: []countRecord{},
		Rounds: result.Rounds, Starts: result.Starts, Status: result.Status, Seconds: seconds,
		Seed: r.options.Seed, Threads: r.options.Threads, Warnings: append([]string{}, result.Warnings...),
		Preparation: data.prepared.record(),
		kernels:     result.Kernels,
	}
	for i := range tableSteps + 1 {
		k.Lambda = append(k.Lambda, 2*float64(i)/tableSteps)
	}
	records := kernelRecords(result.Kernels)
	for s, found := range result.Kernels {
		l := learnedKernel{kernelRecord: records[s], Scale: found.Scale()}
		for _, at := range k.Lambda {
			l.Values = append(l.Values, found.Eval(at))
		}
		k.Kernels = append(k.Kernels, l)
	}
	for _, c := range result.Choice {
		k.Counts = append(k.Counts, countRecord{c.Count, c.Residual, c.Cost, c.StandardError})
	}
	return k
}

// writeFlags prints the kernels as flags of other commands.
func (k *kernelsRecord) writeFlags(w io.Writer) error {
	var b strings.Builder
	for _, found := range k.Kernels {
		fmt.Fprintf(&b, "--kernel %s\n", found.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (k *kernelsRecord) writeJSON(w io.Writer) error { return writeJSON(w, k) }

// writeFile writes a table if the name asks for one, else all there is to say.
func (k *kernelsRecord) writeFile(path string) error {
	write := k.writeJSON
	if f, _ := dataio.FormatOf(path); f == dataio.CSV {
		write = k.writeCSV
	}
	return dataio.WriteFile(path, write)
}

// writeCSV writes the values of the kernels, a row for each λ.
func (k *kernelsRecord) writeCSV(w io.Writer) error {
	header := []string{"lambda"}
	for s := range k.Kernels {
		header = append(header, fmt.Sprintf("p%d", s+1))
	}
	rows := [][]string{header}
	for i, at := range k.Lambda {
		row := []string{strconv.FormatFloat(at, 'g', -1, 64)}
		for _, found := range k.Kernels {
			row = append(row, strconv.FormatFloat(found.Values[i], 'g', -1, 64))
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// tell shows people the kernels and how well they do.
func (k *kernelsRecord) tell(w io.Writer, written []string) {
	fmt.Fprintln(w, wrapped(fmt.Sprintf("learned %s from %s on %s with %s in %s", plural(len(k.Kernels), "kernel"),
		plural(k.Signals, "signal"), plural(k.Vertices, "vertex"), plural(k.Edges, "edge"), inWords(k.Seconds))))
	outcome := "they explain the signals to rounding error"
	if k.Residual > roundingError {
		outcome = fmt.Sprintf("they leave %s of the signals' energy unexplained", percent(k.Residual))
	}
	fmt.Fprintf(w, "%s\n\n", outcome)
	chart := figure.Chart{XLabel: "λ"}
	for s, found := range k.Kernels {
		chart.Series = append(chart.Series, figure.Series{Name: strconv.Itoa(s + 1), X: k.Lambda, Y: found.Values})
	}
	fmt.Fprintln(w, chart.Text(columns-1, 12, charset(os.Getenv)))
	k.writeTable(w)
	if len(written) > 0 {
		fmt.Fprintln(w, "wrote", strings.Join(written, ", "))
	}
	for _, warning := range k.Warnings {
		fmt.Fprintln(w, wrapped("warning: "+warning))
	}
}

// writeTable prints some values of the kernels.
func (k *kernelsRecord) writeTable(w io.Writer) {
	const every = tableSteps / 8
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "λ\t")
	for i := 0; i <= tableSteps; i += every {
		fmt.Fprintf(t, "%.2f\t", k.Lambda[i])
	}
	for s, found := range k.Kernels {
		fmt.Fprintf(t, "\np%d\t", s+1)
		for i := 0; i <= tableSteps; i += every {
			fmt.Fprintf(t, "%.3f\t", math.Round(found.Values[i]*1e3)/1e3+0) // without a minus before zero
		}
	}
	fmt.Fprintln(t)
	_ = t.Flush()
}
