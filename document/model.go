package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ModelFormat is the format of models that this version writes, and the newest it reads.
const ModelFormat = 1

// A Model is what was learned, with all that is needed to use it on new signals. It is what
// nervure learn --model writes and nervure encode reads. Numbers are exact.
type Model struct {
	Model       int              `json:"model" doc:"format of this file: 1"`
	Version     string           `json:"version" doc:"version of nervure"`
	Method      string           `json:"method" doc:"method that learned the graph"`
	Signals     int              `json:"signals" doc:"number of signals learned from, M"`
	Vertices    []string         `json:"vertices" doc:"names of the vertices"`
	Directed    bool             `json:"directed" doc:"true if edges are arrows from source to target"`
	Edges       ModelEdges       `json:"edges" doc:"the edges, as lists of equal length"`
	Preparation ModelPreparation `json:"preparation" doc:"preprocessing that new signals need"`
	Codes       *ModelCodes      `json:"codes" doc:"how signals are coded; null if the method has no codes"`
	SetAside    []SetAside       `json:"set_aside" doc:"vertices that were set aside and have no edges"`
	Gaussian    *ModelGaussian   `json:"gaussian" doc:"Gaussian with the learned edges only, fitted to the signals learned from after preprocessing; null if there is none"`
	Unscored    string           `json:"unscored,omitempty" doc:"why there is no Gaussian, so that new signals have no score"`
}

// ModelEdges are the edges of a model.
type ModelEdges struct {
	Source []int     `json:"source" doc:"number of the first vertex of each edge, from 0"`
	Target []int     `json:"target" doc:"number of its second vertex"`
	Weight []float64 `json:"weight" doc:"its weight"`
}

// A ModelPreparation is what is done to new signals, in the order of the keys.
type ModelPreparation struct {
	Log        bool      `json:"log" doc:"whether logarithms are taken"`
	LogOffset  float64   `json:"log_offset" doc:"constant added before taking logarithms"`
	Cycles     []Cycle   `json:"cycles,omitempty" doc:"cycles that are removed"`
	Trend      bool      `json:"trend,omitempty" doc:"whether a smooth trend of each vertex is removed"`
	Difference bool      `json:"difference" doc:"whether differences between consecutive observations are taken"`
	Centered   bool      `json:"centered" doc:"whether the mean of each vertex is subtracted"`
	Scaled     bool      `json:"scaled" doc:"whether each vertex that varies is divided by its standard deviation"`
	CommonMode bool      `json:"common_mode" doc:"whether each signal's mean over the vertices that vary is subtracted"`
	Mean       []float64 `json:"mean" doc:"mean of each vertex in the signals learned from"`
	Deviation  []float64 `json:"deviation" doc:"its standard deviation"`
	Varies     []bool    `json:"varies" doc:"whether it varied"`
}

// ModelCodes say how signals are coded.
type ModelCodes struct {
	Kernels    []ModelKernel `json:"kernels" doc:"the kernels"`
	Sparsity   int           `json:"sparsity" doc:"maximum number of atoms per signal, T₀"`
	NoiseFloor float64       `json:"noise_floor" doc:"norm of a residual that may be noise: no more atoms are taken then"`
	CommonMode bool          `json:"common_mode" doc:"whether each signal's mean over the vertices not set aside is subtracted before coding"`
}

// A ModelKernel is a kernel in the basis in which it is computed.
type ModelKernel struct {
	Name      string    `json:"name" doc:"the kernel in the syntax of --kernel, such as heat:2"`
	Chebyshev []float64 `json:"chebyshev" doc:"coefficients c of its polynomial, Σ c[k] T_k(λ − 1)"`
}

// A ModelGaussian is a precision matrix Θ for vertices less their mean, over their scale.
type ModelGaussian struct {
	Mean     []float64 `json:"mean" doc:"mean of each vertex"`
	Scale    []float64 `json:"scale" doc:"its standard deviation, or 1 if it does not vary"`
	Diagonal []float64 `json:"diagonal" doc:"entry of Θ on the diagonal for each vertex"`
	Edges    []float64 `json:"edges" doc:"entry of Θ for each edge; all others are 0"`
	LogDet   float64   `json:"log_det" doc:"log det Θ"`
}

// largestModel bounds what is read, in bytes.
const largestModel = 256 << 20

// ReadModel reads a model. Whether its numbers go together is not looked at.
func ReadModel(r io.Reader) (*Model, error) {
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
	if *kind.Model > ModelFormat {
		return nil, fmt.Errorf("this model has format %d, and this version of nervure reads up to %d: update nervure", *kind.Model, ModelFormat)
	}
	m := &Model{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, unreadable("model", err)
	}
	return m, nil
}

// An Encoded says how well new signals fit a model. It is what nervure encode --json
// prints.
type Encoded struct {
	Signals   int      `json:"signals" doc:"number of new signals"`
	Score     *float64 `json:"score" doc:"by how many nats per signal they are likelier under a Gaussian that has only the learned edges than under one without edges; null if the model has none"`
	Explained *float64 `json:"explained" doc:"share of their energy, as they are coded, that the codes account for; null if the model has no codes"`
}
