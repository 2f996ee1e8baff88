package document

import (
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

// A Kernel is a kernel in a document.
type Kernel struct {
	Name               string    `json:"name" doc:"the kernel in the syntax of --kernel, such as heat:2"`
	Degree             int       `json:"degree" doc:"degree of its polynomial"`
	ApproximationError float64   `json:"approximation_error" doc:"maximum difference between polynomial and kernel on [0, 2]"`
	Coefficients       []float64 `json:"coefficients" doc:"coefficients of 1, λ, λ², …"`
}

// NewKernels describes kernels.
func NewKernels(kernels []kernel.Kernel) []Kernel {
	list := make([]Kernel, len(kernels))
	for i, k := range kernels {
		list[i] = Kernel{k.Name, k.Degree(), k.ApproximationError, k.Coef()}
	}
	return list
}

// Kernel returns the kernel from its coefficients; that of a Matérn field from its name, because it
// may have a degree at which coefficients of powers are lost to rounding.
func (k Kernel) Kernel() (kernel.Kernel, error) {
	if named, err := kernel.Parse(k.Name, k.Degree, kernel.Chebyshev); err == nil && named.Order() > 0 {
		return named, nil
	}
	return kernel.Polynomial(k.Name, k.Coefficients)
}

// A FieldSpectrum is how signals are a Gaussian field on a graph: vertices less their mean,
// over their standard deviation, have the variance size²·g(λ)² + noise² at the frequencies λ of
// its normalised Laplacian.
type FieldSpectrum struct {
	Kernel    string    `json:"kernel" doc:"the kernel g in the syntax of --kernel, such as matern:2,0.3, fitted to the energies"`
	Size      float64   `json:"size" doc:"what the kernel, which is 1 at frequency 0, is multiplied by"`
	Noise     float64   `json:"noise" doc:"standard deviation of white noise, as a share of that of the signals"`
	Frequency []float64 `json:"frequency" doc:"frequencies of the graph in ascending order, without those of vertices that have no edges"`
	Energy    []float64 `json:"energy" doc:"mean square of the signals at each frequency, which the kernel was fitted to"`
}

// Variance returns size²·g(λ)² + noise² at a frequency.
func (f *FieldSpectrum) Variance() (func(lambda float64) float64, error) {
	k, err := kernel.Parse(f.Kernel, 1, kernel.Chebyshev) // whose function is used, not its polynomial
	return func(lambda float64) float64 {
		g := f.Size * k.Value(lambda)
		return float64(g*g) + float64(f.Noise*f.Noise)
	}, err
}

// Kernels are kernels that were learned on a known graph. They are what nervure
// kernels writes.
type Kernels struct {
	Version  string          `json:"version" doc:"version of nervure"`
	Vertices int             `json:"vertices" doc:"number of vertices, N"`
	Signals  int             `json:"signals" doc:"number of signals learned from, M"`
	Edges    int             `json:"edges" doc:"number of edges in the given graph"`
	Free     bool            `json:"free" doc:"whether the kernels are free polynomials, not scaled members of a family"`
	Kernels  []LearnedKernel `json:"kernels" doc:"the kernels"`
	Sparsity int             `json:"sparsity" doc:"maximum number of atoms per signal, T₀"`
	Residual float64         `json:"residual" doc:"share of the signals' energy that the codes do not explain, ‖Y − DX‖²/‖Y‖²"`
	Counts   []KernelCount   `json:"counts" doc:"the numbers of kernels that were tried, if the number was chosen automatically"`
	Rounds   int             `json:"rounds" doc:"rounds of coding and kernel update"`
	Starts   int             `json:"starts" doc:"number of starts"`
	Status   method.Status   `json:"status" doc:"how the run ended: converged, max_rounds, stalled or interrupted"`
	Seconds  float64         `json:"seconds" doc:"time spent learning"`
	Seed     uint64          `json:"seed" doc:"random seed"`
	Threads  int             `json:"threads" doc:"number of threads used"`
	Warnings []string        `json:"warnings" doc:"warnings, one sentence each"`
	Lambda   []float64       `json:"lambda" doc:"points at which the values of the kernels are given"`

	Preparation Preparation `json:"preparation" doc:"preprocessing of the signals"`
}

// A LearnedKernel is a kernel with its values.
type LearnedKernel struct {
	Kernel
	Scale  float64   `json:"scale,omitzero" doc:"its scale within its family"`
	Values []float64 `json:"values" doc:"its values at lambda"`
}

// A KernelCount says how well that many kernels describe held-out signals.
type KernelCount struct {
	Kernels       int     `json:"kernels" doc:"number of kernels"`
	Residual      float64 `json:"residual" doc:"share of the energy of held-out signals that is not explained"`
	Cost          float64 `json:"cost" doc:"description length in nats per signal"`
	StandardError float64 `json:"standard_error" doc:"standard error of the difference from the smallest cost"`
}

// kernelSteps is how finely kernels are tabulated over [0, 2].
const kernelSteps = 40

// Tabulate fills in the kernels and their values on [0, 2].
func (d *Kernels) Tabulate(kernels []kernel.Kernel) {
	d.Kernels, d.Lambda = nil, nil
	for i := range kernelSteps + 1 {
		d.Lambda = append(d.Lambda, 2*float64(i)/kernelSteps)
	}
	described := NewKernels(kernels)
	for s, k := range kernels {
		learned := LearnedKernel{Kernel: described[s], Scale: k.Scale()}
		for _, at := range d.Lambda {
			learned.Values = append(learned.Values, k.Eval(at))
		}
		d.Kernels = append(d.Kernels, learned)
	}
}
