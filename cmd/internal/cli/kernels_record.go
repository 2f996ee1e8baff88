package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/figure"
)

// A kernelsRecord is learned kernels as they are printed.
type kernelsRecord struct{ *document.Kernels }

// roundingError is a share of the signals' energy that is no more than that.
const roundingError = 1e-18

// writeFlags prints the kernels as flags of other commands.
func (k kernelsRecord) writeFlags(w io.Writer) error {
	var b strings.Builder
	for _, found := range k.Kernels.Kernels {
		fmt.Fprintf(&b, "--kernel %s\n", found.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (k kernelsRecord) writeJSON(w io.Writer) error { return document.Write(w, k.Kernels) }

// writeFile writes a table if the name asks for one, else all there is to say.
func (k kernelsRecord) writeFile(path string) error {
	write := k.writeJSON
	if f, _ := dataio.FormatOf(path); f == dataio.CSV {
		write = k.WriteCSV
	}
	return dataio.WriteFile(path, write)
}

// tell shows people the kernels and how well they do.
func (k kernelsRecord) tell(w io.Writer, written []string) {
	fmt.Fprintln(w, wrapped(fmt.Sprintf("learned %s from %s on a graph with %s and %s in %s", plural(len(k.Kernels.Kernels), "kernel"),
		plural(k.Signals, "signal"), plural(k.Vertices, "vertex"), plural(k.Edges, "edge"), inWords(k.Seconds))))
	outcome := "the kernels explain the signals to rounding error"
	if k.Residual > roundingError {
		outcome = fmt.Sprintf("the kernels leave %s of the signals' energy unexplained", percent(k.Residual))
	}
	fmt.Fprintf(w, "%s\n\n", outcome)
	chart := figure.Chart{XLabel: "λ"}
	for s, found := range k.Kernels.Kernels {
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
func (k kernelsRecord) writeTable(w io.Writer) {
	every := (len(k.Lambda) - 1) / 8
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "λ\t")
	for i := 0; i < len(k.Lambda); i += every {
		fmt.Fprintf(t, "%.2f\t", k.Lambda[i])
	}
	for s, found := range k.Kernels.Kernels {
		fmt.Fprintf(t, "\np%d\t", s+1)
		for i := 0; i < len(k.Lambda); i += every {
			fmt.Fprintf(t, "%.3f\t", math.Round(found.Values[i]*1e3)/1e3+0) // without a minus before zero
		}
	}
	fmt.Fprintln(t)
	_ = t.Flush()
}
