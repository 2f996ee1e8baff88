package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/kernel"
)

// A plotSummary is a summary of learn, to be drawn.
type plotSummary struct {
	*document.Summary
	file string
}

// readSummary reads a summary by its content, whatever it is called. It returns
// nil if the file is something else.
func readSummary(path string) (*plotSummary, error) {
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &input.Error{File: path, Msg: "there is no such file"}
	case err != nil:
		return nil, &input.Error{File: path, Msg: reason(err)}
	}
	defer file.Close()
	return decodeSummary(file, path)
}

func decodeSummary(r io.Reader, name string) (*plotSummary, error) {
	summary, err := document.ReadSummary(r)
	switch {
	case err != nil:
		return nil, &input.Error{File: name, Msg: reason(err)}
	case summary == nil:
		return nil, nil
	}
	return &plotSummary{summary, name}, nil
}

// lacks says what is not in the summary.
func (s *plotSummary) lacks(key string) error {
	return &input.Error{File: s.file, Msg: fmt.Sprintf(
		"the summary has no %q, which this figure needs: write it again with learn --summary (method %s may not provide it)", key, s.Method)}
}

func (s *plotSummary) draw(kind string) (figure.Drawing, string, error) {
	title := s.file + ": learning with method " + s.Method
	switch kind {
	case plotWeights:
		s.Weights = slices.DeleteFunc(s.Weights, func(w float64) bool { return !(w > 0) })
		if len(s.Weights) == 0 {
			return nil, "", s.lacks("weights")
		}
		return plot.Weights(title, s.Weights, s.Edges), plural(len(s.Weights), "weight"), nil
	case plotKernels:
		kernels, err := s.kernels()
		if err != nil {
			return nil, "", err
		}
		return plot.Kernels(title, kernels), plural(len(kernels), "kernel"), nil
	}
	if len(s.Trace) == 0 {
		return nil, "", s.lacks("trace")
	}
	steps, starts := plural(len(s.Trace), "step"), plural(len(plot.Starts(s.Trace)), "start")
	return plot.Convergence(title, s.Trace), steps + " of " + starts, nil
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
		made, err := k.Kernel()
		if err != nil {
			return nil, &input.Error{File: s.file, Msg: err.Error()}
		}
		kernels[i] = made
	}
	return kernels, nil
}
