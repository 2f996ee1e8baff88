// Package modelfile is the file that a model is kept in.
package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/nervure/nervure/document"
)

// Format is the format of models that this version writes, and the newest it reads.
const Format = 1

// A Document is a model for programs, as nervure learn --model writes it and nervure encode
// reads it. Numbers are exact.
type Document struct {
	Model       int                    `json:"model" doc:"format of this file: 1"`
	Version     string                 `json:"version" doc:"version of nervure"`
	Method      string                 `json:"method" doc:"method that learned the graph"`
	Signals     int                    `json:"signals" doc:"number of signals learned from, M"`
	Vertices    []string               `json:"vertices" doc:"names of the vertices"`
	Directed    bool                   `json:"directed" doc:"true if edges are arrows from source to target"`
	Edges       Edges                  `json:"edges" doc:"the edges, as lists of equal length"`
	Preparation Preparation            `json:"preparation" doc:"preprocessing that new signals need"`
	Codes       *Codes                 `json:"codes" doc:"how signals are coded; null if the method has no codes"`
	SetAside    []document.SetAside    `json:"set_aside" doc:"vertices that were set aside and have no edges"`
	Equal       []document.EqualVertex `json:"equal,omitempty" doc:"vertices with the values of an earlier one, with which they were learned as one: they count as missing in the computations, and what comes out of the earlier one holds for them, too"`
	Gaussian    *Gaussian              `json:"gaussian" doc:"Gaussian with the learned edges only, fitted to the signals learned from after preprocessing; null if there is none"`
	Field       *Field                 `json:"field,omitempty" doc:"Gaussian field that the signals learned from are on the graph, after preprocessing, if the method was field"`
	Withheld    bool                   `json:"withheld,omitempty" doc:"true if the graph was written without these edges, because the signals learned from show no structure"`
	Unscored    string                 `json:"unscored,omitempty" doc:"why there is no Gaussian, so that new signals have no score"`
}

// Edges are the edges of a model.
type Edges struct {
	Source []int     `json:"source" doc:"number of the first vertex of each edge, from 0"`
	Target []int     `json:"target" doc:"number of its second vertex"`
	Weight []float64 `json:"weight" doc:"its weight"`
}

// Preparation is what is done to new signals, in the order of the keys.
type Preparation struct {
	Log            bool             `json:"log" doc:"whether logarithms are taken"`
	LogOffset      float64          `json:"log_offset" doc:"constant added before taking logarithms"`
	Cycles         []document.Cycle `json:"cycles,omitempty" doc:"cycles that are removed"`
	Trend          bool             `json:"trend,omitempty" doc:"whether a smooth trend of each vertex is removed"`
	Difference     bool             `json:"difference" doc:"whether differences between consecutive observations are taken"`
	Autoregression []float64        `json:"autoregression,omitempty" doc:"partial autocorrelations, at lags 1, 2, …, of the autoregression that is removed"`
	Level          []float64        `json:"level,omitempty" doc:"level of each vertex that it is about"`
	Centered       bool             `json:"centered" doc:"whether the mean of each vertex is subtracted"`
	Scaled         bool             `json:"scaled" doc:"whether each vertex that varies is divided by its standard deviation"`
	CommonMode     bool             `json:"common_mode" doc:"whether each signal's mean over the vertices that vary is subtracted"`
	Mean           []float64        `json:"mean" doc:"mean of each vertex in the signals learned from"`
	Deviation      []float64        `json:"deviation" doc:"its standard deviation"`
	Varies         []bool           `json:"varies" doc:"whether it varied"`
}

// Codes say how signals are coded.
type Codes struct {
	Kernels    []Kernel `json:"kernels" doc:"the kernels"`
	Sparsity   int      `json:"sparsity" doc:"maximum number of atoms per signal, T₀"`
	NoiseFloor float64  `json:"noise_floor" doc:"norm of a residual that may be noise: no more atoms are taken then"`
	CommonMode bool     `json:"common_mode" doc:"whether each signal's mean over the vertices not set aside is subtracted before coding"`
}

// A Kernel is a kernel in the basis in which it is computed.
type Kernel struct {
	Name      string    `json:"name" doc:"the kernel in the syntax of --kernel, such as heat:2"`
	Chebyshev []float64 `json:"chebyshev" doc:"coefficients c of its polynomial, Σ c[k] T_k(λ − 1)"`
}

// A Gaussian is a precision matrix Θ for vertices less their mean, over their scale.
type Gaussian struct {
	Mean     []float64 `json:"mean" doc:"mean of each vertex"`
	Scale    []float64 `json:"scale" doc:"its standard deviation, or 1 if it does not vary"`
	Diagonal []float64 `json:"diagonal" doc:"entry of Θ on the diagonal for each vertex"`
	Edges    []float64 `json:"edges" doc:"entry of Θ for each edge; all others are 0"`
	LogDet   float64   `json:"log_det" doc:"log det Θ"`
}

// A Field has the covariance size²·g(ℒ)² + noise²·I for vertices less their mean, over their
// scale; a vertex without edges is on its own, with variance 1.
type Field struct {
	Kernel string    `json:"kernel" doc:"the kernel g in the syntax of --kernel, such as matern:2,0.3, of the normalised Laplacian ℒ"`
	Size   float64   `json:"size" doc:"what the kernel is multiplied by"`
	Noise  float64   `json:"noise" doc:"standard deviation of the noise"`
	Mean   []float64 `json:"mean" doc:"mean of each vertex"`
	Scale  []float64 `json:"scale" doc:"its standard deviation, or 1 if it does not vary"`
	Scores bool      `json:"scores" doc:"whether the score is that of the field and not that of gaussian, because it explains the signals learned from better, counting its numbers"`
}

// largestModel bounds what is read, in bytes.
const largestModel = 256 << 20

// Read reads a document. Whether its numbers go together is not looked at.
func Read(r io.Reader) (*Document, error) {
	text, err := io.ReadAll(io.LimitReader(r, largestModel+1))
	if err != nil {
		return nil, err
	}
	if len(text) > largestModel {
		return nil, fmt.Errorf("this model has more than %d MiB", largestModel>>20)
	}
	var kind struct {
		Model *int `json:"model"`
	}
	if err := json.Unmarshal(text, &kind); err != nil || kind.Model == nil || *kind.Model < 1 {
		return nil, errors.New("this is not a model of this program: write one with nervure learn --model")
	}
	if *kind.Model > Format {
		return nil, fmt.Errorf("this model has format %d, and this version of nervure reads up to %d: update nervure", *kind.Model, Format)
	}
	m := &Document{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, document.Unreadable("model", err)
	}
	return m, nil
}
