package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/kernel"
)

// A plotSummary is what plot reads of the file that learn --summary writes.
type plotSummary struct {
	Method  *string         `json:"method"`
	Nodes   json.RawMessage `json:"nodes"` // which a graph has, and a summary does not
	Edges   int             `json:"edges"`
	Status  string          `json:"status"`
	Kernels []plotKernel    `json:"kernels"`
	Trace   []plotStep      `json:"trace"`
	Weights []float64       `json:"weights"` // heaviest first

	file string
}

type plotKernel struct {
	Name         string    `json:"name"`
	Coefficients []float64 `json:"coefficients"` // of 1, λ, λ², …
}

// A plotStep is how things stood after a step.
type plotStep struct {
	Start     int      `json:"start"`
	Residual  *float64 `json:"residual"`
	Objective *float64 `json:"objective"`
	Edges     int      `json:"edges"`
}

// largestSummary bounds what is read, in bytes.
const largestSummary = 64 << 20

// readIfSummary returns the summary that the input is, or nil if it is not one.
func (p *plot) readIfSummary() (*plotSummary, error) {
	if p.in == "-" || isDevice(p.in) {
		return nil, nil
	}
	s, err := readSummary(p.in)
	if isA[*notASummary](err) {
		return nil, nil
	}
	return s, err
}

// notASummary says that a file is something else.
type notASummary struct{ file string }

func (e *notASummary) Error() string {
	return fmt.Sprintf("%s is not a summary that learn --summary wrote", e.file)
}

// readSummary reads a summary by its content, whatever it is called.
func readSummary(path string) (*plotSummary, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &notASummary{path} // what reads graphs says why
	}
	defer file.Close()
	return decodeSummary(file, path)
}

func decodeSummary(r io.Reader, name string) (*plotSummary, error) {
	b := bufio.NewReader(io.LimitReader(r, largestSummary))
	if begin, _ := b.Peek(512); !bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n"), []byte("{")) {
		return nil, &notASummary{name}
	}
	text, err := io.ReadAll(b)
	if err != nil {
		return nil, &dataio.InputError{File: name, Msg: reason(err)}
	}
	s := &plotSummary{file: name}
	switch err := json.Unmarshal(text, s); {
	case s.Method == nil || s.Nodes != nil:
		return nil, &notASummary{name}
	case err != nil:
		return nil, &dataio.InputError{File: name, Msg: "it looks like a summary of learn, but cannot be read: " + err.Error()}
	}
	return s, nil
}

// lacks says what is not in the summary.
func (s *plotSummary) lacks(key string) error {
	return &dataio.InputError{File: s.file, Msg: fmt.Sprintf(
		"the summary has no %q, which this figure shows: write it anew with learn --summary (method %s may have none)", key, *s.Method)}
}

func (s *plotSummary) draw(kind string) (figure.Drawing, string, error) {
	title := s.file + ": how method " + *s.Method + " learned a graph"
	switch kind {
	case plotWeights:
		s.Weights = slices.DeleteFunc(s.Weights, func(w float64) bool { return !(w > 0) })
		if len(s.Weights) == 0 {
			return nil, "", s.lacks("weights")
		}
		return weightsChart(title, s.Weights, s.Edges), plural(len(s.Weights), "weight"), nil
	case plotKernels:
		kernels, err := s.kernels()
		if err != nil {
			return nil, "", err
		}
		return kernelsChart(title, kernels), plural(len(kernels), "kernel"), nil
	}
	return s.convergence(title)
}

// kernels returns the kernels from their coefficients.
func (s *plotSummary) kernels() ([]kernel.Kernel, error) {
	if len(s.Kernels) == 0 {
		return nil, s.lacks("kernels")
	}
	kernels := make([]kernel.Kernel, len(s.Kernels))
	for i, k := range s.Kernels {
		if len(k.Coefficients) == 0 {
			return nil, s.lacks("coefficients")
		}
		made, err := kernel.Polynomial(k.Name, k.Coefficients)
		if err != nil {
			return nil, &dataio.InputError{File: s.file, Msg: err.Error()}
		}
		kernels[i] = made
	}
	return kernels, nil
}

// convergence draws the residual, or else the objective, and the number of edges
// after each step, coding and graph by turns, a line for each start.
func (s *plotSummary) convergence(title string) (figure.Drawing, string, error) {
	if len(s.Trace) == 0 {
		return nil, "", s.lacks("trace")
	}
	fall := figure.Chart{Title: "Residual", XLabel: "step", YLabel: "‖Y − DX‖² / ‖Y‖²"}
	value := func(r plotStep) *float64 { return r.Residual }
	if !slices.ContainsFunc(s.Trace, func(r plotStep) bool { return r.Residual != nil }) {
		fall = figure.Chart{Title: "Objective", XLabel: "step", YLabel: "objective"}
		value = func(r plotStep) *float64 { return r.Objective }
	}
	edges := figure.Chart{Title: "Edges", XLabel: "step", YLabel: "edges"}
	var starts []int
	for _, r := range s.Trace {
		if !slices.Contains(starts, r.Start) {
			starts = append(starts, r.Start)
		}
	}
	slices.Sort(starts)
	fall.LogY = true
	for k, start := range starts {
		down := figure.Series{Color: k}
		count := down
		if len(starts) > 1 && len(starts) <= mostGroups {
			down.Name = fmt.Sprintf("start %d", start)
			count.Name = down.Name
		}
		for _, r := range s.Trace {
			if r.Start != start {
				continue
			}
			step := float64(len(count.X) + 1)
			count.X, count.Y = append(count.X, step), append(count.Y, float64(r.Edges))
			if v := value(r); v != nil {
				down.X, down.Y = append(down.X, step), append(down.Y, *v)
				fall.LogY = fall.LogY && *v > 0
			}
		}
		fall.Series, edges.Series = append(fall.Series, down), append(edges.Series, count)
	}
	return figure.Charts{Title: title, PerRow: 2, Charts: []figure.Chart{fall, edges}}, plural(len(s.Trace), "step") + " of " + plural(len(starts), "start"), nil
}

// weightsChart draws weights, heaviest first, and a line after those that were
// kept; zero means that nothing was cut.
func weightsChart(title string, weights []float64, kept int) figure.Charts {
	all := figure.Series{Plain: len(weights) > 1}
	for k, w := range weights {
		all.X, all.Y = append(all.X, float64(k+1)), append(all.Y, w)
	}
	chart := figure.Chart{Title: "Weights, sorted", XLabel: "edge, heaviest first", YLabel: "weight", LogY: true, Series: []figure.Series{all}}
	if kept > 0 && kept <= len(weights) {
		low, high := weights[len(weights)-1], weights[0]
		at := float64(kept) + 0.5
		chart.Series = append(chart.Series, figure.Series{
			Name: "cut after " + plural(kept, "edge"), X: []float64{at, at}, Y: []float64{low, high}, Dashed: true, Plain: true, Color: 3,
		})
	}
	return figure.Charts{Title: title, PerRow: 1, Charts: []figure.Chart{chart}}
}

// kernelsChart draws kernels over the spectrum of a normalised Laplacian.
func kernelsChart(title string, kernels []kernel.Kernel) figure.Charts {
	const steps = 200
	chart := figure.Chart{Title: "Kernels", XLabel: "λ", YLabel: "g(λ)"}
	for s, k := range kernels {
		line := figure.Series{Name: shortNames([]string{k.Name}), Color: s}
		for i := range steps + 1 {
			l := 2 * float64(i) / steps
			line.X, line.Y = append(line.X, l), append(line.Y, k.Eval(l))
		}
		chart.Series = append(chart.Series, line)
	}
	return figure.Charts{Title: title, PerRow: 1, Charts: []figure.Chart{chart}}
}
