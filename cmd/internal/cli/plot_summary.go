package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/input"
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
	Round     int      `json:"round"`
	Residual  *float64 `json:"residual"`
	Objective *float64 `json:"objective"`
	Edges     int      `json:"edges"`
}

// largestSummary bounds what is read, in bytes.
const largestSummary = 64 << 20

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
	b := bufio.NewReader(io.LimitReader(r, largestSummary))
	if begin, _ := b.Peek(512); !bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n"), []byte("{")) {
		return nil, nil
	}
	text, err := io.ReadAll(b)
	if err != nil {
		return nil, &input.Error{File: name, Msg: reason(err)}
	}
	s := &plotSummary{file: name}
	switch err := json.Unmarshal(text, s); {
	case s.Method == nil || s.Nodes != nil:
		return nil, nil
	case err != nil:
		return nil, &input.Error{File: name, Msg: "it looks like a summary of learn, but cannot be read: " + err.Error()}
	}
	return s, nil
}

// lacks says what is not in the summary.
func (s *plotSummary) lacks(key string) error {
	return &input.Error{File: s.file, Msg: fmt.Sprintf(
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
			return nil, &input.Error{File: s.file, Msg: err.Error()}
		}
		kernels[i] = made
	}
	return kernels, nil
}
