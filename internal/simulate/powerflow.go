package simulate

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// PowerQuantity is what is measured in a power grid.
type PowerQuantity string

// The quantities.
const (
	VoltageMagnitudes PowerQuantity = "magnitudes"
	VoltageAngles     PowerQuantity = "angles"
)

// A PowerSpec says how a power grid is loaded and what is measured.
type PowerSpec struct {
	Quantity PowerQuantity
	Count    int     // signals, at least 1
	Shared   float64 // share of the loads' variance that all have in common, in [0, 1)
	synth.FieldFaults
	Seed uint64 // the streams are "lines", "loads", "customers" and those of synth.FieldFaults
}

const (
	lineReactance = 0.01 // x of a line of weight 1, per unit; of weight w it is x/w
	meanLoad      = 0.5  // total active power, per unit
	loadSpread    = 0.5  // standard deviation of the logarithm of a load
	powerFactor   = 0.4  // reactive over active power, about
	flowTolerance = 1e-10
	flowRounds    = 30
)

// PowerFlow draws the voltages of an alternating-current grid whose lines are the
// edges of g, by Newton's method in polar coordinates. Vertex 0 is the slack bus: its
// voltage is 1, so it is not measured. All others have loads that vary from signal to signal,
// independently but for what they share.
func PowerFlow(g *graph.Graph, spec PowerSpec) (*synth.FieldTruth, error) {
	n := g.Vertices()
	switch {
	case spec.Quantity != VoltageMagnitudes && spec.Quantity != VoltageAngles:
		return nil, input.Errorf("simulate.PowerSpec", "quantity", "got %q, want %q or %q", spec.Quantity, VoltageMagnitudes, VoltageAngles)
	case spec.Count < 1:
		return nil, input.Errorf("simulate.PowerSpec", input.Signals, "got %d, want at least 1", spec.Count)
	case !(spec.Shared >= 0 && spec.Shared < 1):
		return nil, input.Errorf("simulate.PowerSpec", "shared", "got %v, want a number from 0 to below 1", spec.Shared)
	case n < 3:
		return nil, input.Errorf("simulate.PowerFlow", input.Graph, "got %d vertices, want at least 3", n)
	}
	if _, parts := g.Components(); parts > 1 {
		return nil, input.Errorf("simulate.PowerFlow", input.Graph, "it has %d parts, want one", parts)
	}
	grid := newPowerGrid(g, spec.Seed)
	usual := grid.usualLoads(spec.Seed)
	y := mat.NewDense(n, spec.Count, nil)
	for t := range spec.Count {
		r := rng.Stream(spec.Seed, "loads", t)
		common := math.Sqrt(spec.Shared) * r.NormFloat64()
		for i := 1; i < n; i++ {
			p := usual[i] * portable.Exp(loadSpread*(common+math.Sqrt(1-spec.Shared)*r.NormFloat64()))
			grid.p[i], grid.q[i] = -p, -p*powerFactor*(0.7+0.6*r.Float64())
		}
		if err := grid.solve(); err != nil {
			return nil, fmt.Errorf("simulate.PowerFlow: signal %d: %w", t, err)
		}
		for i := range n {
			v := grid.angle[i]
			if spec.Quantity == VoltageMagnitudes {
				v = grid.v[i]
			}
			y.Set(i, t, v)
		}
	}
	measured, err := withoutSlack(g)
	if err != nil {
		return nil, err
	}
	return spec.Apply(measured, mat.DenseCopyOf(centred(y).Slice(1, n, 0, spec.Count)), spec.Seed)
}

// withoutSlack returns the grid without vertex 0.
func withoutSlack(g *graph.Graph) (*graph.Graph, error) {
	var lines []graph.Edge
	for _, e := range g.Edges() {
		if e.I > 0 && e.J > 0 {
			lines = append(lines, graph.Edge{I: e.I - 1, J: e.J - 1, Weight: e.Weight})
		}
	}
	return graph.New(graph.DefaultNames(g.Vertices()-1), lines)
}

// centred takes the mean off each row of y: noise is in units of what varies.
func centred(y *mat.Dense) *mat.Dense {
	n, m := y.Dims()
	for i := range n {
		row, mean := y.RawRowView(i), 0.0
		for _, v := range row {
			mean += v / float64(m)
		}
		for t := range row {
			row[t] -= mean
		}
	}
	return y
}

// A powerGrid is Y = G + jB, the power that buses are given, and their voltages.
type powerGrid struct {
	conductance, susceptance *mat.Dense
	p, q                     []float64 // injected: loads are negative; that of the slack bus does not matter
	v, angle                 []float64
}

func newPowerGrid(g *graph.Graph, seed uint64) *powerGrid {
	n := g.Vertices()
	grid := &powerGrid{
		conductance: mat.NewDense(n, n, nil), susceptance: mat.NewDense(n, n, nil),
		p: make([]float64, n), q: make([]float64, n), v: make([]float64, n), angle: make([]float64, n),
	}
	r := rng.Stream(seed, "lines")
	for _, e := range g.Edges() {
		x := lineReactance / e.Weight
		line := complex(1, 0) / complex(x*(0.4+0.8*r.Float64()), x)
		for _, at := range [][3]int{{e.I, e.J, -1}, {e.J, e.I, -1}, {e.I, e.I, 1}, {e.J, e.J, 1}} {
			i, j, sign := at[0], at[1], float64(at[2])
			grid.conductance.Set(i, j, grid.conductance.At(i, j)+sign*real(line))
			grid.susceptance.Set(i, j, grid.susceptance.At(i, j)+sign*imag(line))
		}
	}
	return grid
}

// usualLoads draws the size of each customer.
func (g *powerGrid) usualLoads(seed uint64) []float64 {
	r := rng.Stream(seed, "customers")
	usual := make([]float64, len(g.v))
	for i := range usual {
		usual[i] = meanLoad / float64(len(usual)) * (0.3 + 1.4*r.Float64())
	}
	return usual
}

// injected returns the power that the voltages mean at bus i.
func (g *powerGrid) injected(i int) (p, q float64) {
	for j := range g.v {
		c, b := g.conductance.At(i, j), g.susceptance.At(i, j)
		if c == 0 && b == 0 {
			continue
		}
		sin, cos := math.Sincos(g.angle[i] - g.angle[j])
		p += g.v[i] * g.v[j] * (c*cos + b*sin)
		q += g.v[i] * g.v[j] * (c*sin - b*cos)
	}
	return p, q
}

// solve finds the voltages, from flat ones, by Newton's method on the mismatch of
// power at all buses but the slack.
func (g *powerGrid) solve() error {
	n := len(g.v)
	for i := range n {
		g.v[i], g.angle[i] = 1, 0
	}
	mismatch, jacobian := mat.NewVecDense(2*(n-1), nil), mat.NewDense(2*(n-1), 2*(n-1), nil)
	for range flowRounds {
		for i := 1; i < n; i++ {
			p, q := g.injected(i)
			mismatch.SetVec(i-1, g.p[i]-p)
			mismatch.SetVec(n-2+i, g.q[i]-q)
		}
		if mat.Norm(mismatch, math.Inf(1)) < flowTolerance {
			return nil
		}
		g.differentiate(jacobian)
		var step mat.VecDense
		if err := step.SolveVec(jacobian, mismatch); err != nil {
			return err
		}
		for i := 1; i < n; i++ {
			g.angle[i] += step.AtVec(i - 1)
			g.v[i] += step.AtVec(n - 2 + i)
		}
	}
	return errors.New("the power flow has no solution near flat voltages")
}

// differentiate fills in the derivative of the injected powers by angles and
// magnitudes.
func (g *powerGrid) differentiate(jacobian *mat.Dense) {
	n := len(g.v)
	jacobian.Zero()
	for i := 1; i < n; i++ {
		p, q := g.injected(i)
		for j := 1; j < n; j++ {
			c, b := g.conductance.At(i, j), g.susceptance.At(i, j)
			if c == 0 && b == 0 {
				continue
			}
			if i == j {
				jacobian.Set(i-1, i-1, -q-b*g.v[i]*g.v[i])
				jacobian.Set(i-1, n-2+i, p/g.v[i]+c*g.v[i])
				jacobian.Set(n-2+i, i-1, p-c*g.v[i]*g.v[i])
				jacobian.Set(n-2+i, n-2+i, q/g.v[i]-b*g.v[i])
				continue
			}
			sin, cos := math.Sincos(g.angle[i] - g.angle[j])
			jacobian.Set(i-1, j-1, g.v[i]*g.v[j]*(c*sin-b*cos))
			jacobian.Set(i-1, n-2+j, g.v[i]*(c*cos+b*sin))
			jacobian.Set(n-2+i, j-1, -g.v[i]*g.v[j]*(c*cos+b*sin))
			jacobian.Set(n-2+i, n-2+j, g.v[i]*(c*sin-b*cos))
		}
	}
}
