package views

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/learn"
)

// roundingError is a share of the signals' energy that is no more than that.
const roundingError = 1e-18

// PrintKernels prints kernels as flags of other commands.
func PrintKernels(w io.Writer, k *document.Kernels) error {
	var b strings.Builder
	for _, found := range k.Kernels {
		fmt.Fprintf(&b, "--kernel %s\n", found.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// TellKernels shows people kernels and how well they do.
func TellKernels(c Console, k *document.Kernels, written []string) {
	c.Say(fmt.Sprintf("learned %s from %s on a graph with %s and %s in %s", Plural(len(k.Kernels), "kernel"),
		Plural(k.Signals, "signal"), Plural(k.Vertices, "vertex"), Plural(k.Edges, "edge"), InWords(k.Seconds)))
	outcome := "the kernels explain the signals to rounding error"
	if k.Residual > roundingError {
		outcome = fmt.Sprintf("the kernels leave %s of the signals' energy unexplained", percent(k.Residual))
	}
	fmt.Fprintf(c.Err, "%s\n\n", outcome)
	chart := figure.Chart{XLabel: "λ"}
	for s, found := range k.Kernels {
		chart.Series = append(chart.Series, figure.Series{Name: strconv.Itoa(s + 1), X: k.Lambda, Y: found.Values})
	}
	fmt.Fprintln(c.Err, chart.Text(Columns-1, 12, Charset(os.Getenv)))
	writeKernelTable(c.Err, k)
	c.Wrote(written)
	for _, warning := range k.Warnings {
		c.Warn("%s", warning)
	}
}

// writeKernelTable prints some values of kernels.
func writeKernelTable(w io.Writer, k *document.Kernels) {
	every := (len(k.Lambda) - 1) / 8
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "λ\t")
	for i := 0; i < len(k.Lambda); i += every {
		fmt.Fprintf(t, "%.2f\t", k.Lambda[i])
	}
	for s, found := range k.Kernels {
		fmt.Fprintf(t, "\np%d\t", s+1)
		for i := 0; i < len(k.Lambda); i += every {
			fmt.Fprintf(t, "%.3f\t", math.Round(found.Values[i]*1e3)/1e3+0) // without a minus before zero
		}
	}
	fmt.Fprintln(t)
	_ = t.Flush()
}

// ShowKernels shows a step of learning kernels.
func (p *Progress) ShowKernels(s learn.KernelStep) {
	words := fmt.Sprintf("%s, start %d, round %d: residual %.2g", Plural(s.Count, "kernel"), s.Start, s.Round, s.Residual)
	switch {
	case p.mode == arguments.ProgressPlain && s.Phase == learn.KernelUpdate:
		fmt.Fprintln(p.w, words)
	case p.mode == progressLine && s.Phase != learn.Done && time.Since(p.shown) >= betweenUpdates:
		p.overwrite(strings.Join([]string{p.what, words}, ": "))
		p.shown = time.Now()
	}
}
