package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
)

const (
	// farOut is the number of robust deviations from which on a unit stands out.
	farOut = 3.5
	// leastUnits is how many units there are at least if any can stand out.
	leastUnits = 8
	// farPair is the number of standard deviations from which on a single pair makes a unit stand out.
	farPair = 6
	// robust makes the median of absolute deviations a standard deviation.
	robust = 1.4826
)

// A farness is how far a unit is from its group, and the pair of vertices that is farthest.
type farness struct {
	distance    float64 // root mean square over pairs, 1 being usual
	pair        int
	deviations  float64 // of that pair, in standard deviations
	value, mean float64 // of that pair
	out         bool    // the unit stands out
}

// distances returns how far each unit is from the mean of the others of its group.
func (g *Groups) distances() []farness {
	units, pairs := g.Values.Of.Dims()
	far, away := make([]farness, units), make([]float64, units)
	from := mat.NewDense(units, pairs, nil) // from the mean of the others
	squares := make([]float64, pairs)
	for _, members := range g.members() {
		sum := make([]float64, pairs)
		for _, u := range members {
			floats.Add(sum, g.Values.Of.RawRowView(u))
		}
		for _, u := range members {
			row := from.RawRowView(u)
			for p, x := range g.Values.Of.RawRowView(u) {
				row[p] = x - (sum[p]-x)/float64(max(len(members)-1, 1))
				squares[p] += float64(row[p] * row[p])
			}
			away[u] = math.Sqrt(portable.Dot(row, row) / float64(pairs))
		}
	}
	usual := median(away)
	spread := make([]float64, units)
	for u := range units {
		spread[u] = math.Abs(away[u] - usual)
	}
	deviation := robust * median(spread)
	for u := range units {
		for p, d := range from.RawRowView(u) {
			others := math.Sqrt(max(squares[p]-float64(d*d), 0) / float64(max(units-1, 1)))
			if z := math.Abs(d) / max(others, usual, math.SmallestNonzeroFloat64); z > far[u].deviations || p == 0 {
				x := g.Values.Of.At(u, p)
				far[u] = farness{pair: p, deviations: z, value: x, mean: x - d}
			}
		}
		if usual > 0 {
			far[u].distance = away[u] / usual
		}
		strange := deviation > 0 && (away[u]-usual)/deviation > farOut || far[u].deviations > farPair
		far[u].out = units >= leastUnits && strange
	}
	return far
}

func median(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
