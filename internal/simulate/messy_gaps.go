package simulate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// leaveGaps takes values away: 1 % of them one by one, up to three stretches of each
// sensor, from 3 hours to 3 % of the time, and now and then all of the sensors near
// one corner, whose gateway is down for 2 to 24 hours.
func leaveGaps(y *mat.Dense, coordinates [][2]float64, seed uint64) {
	n, m := y.Dims()
	longest := max(3, 3*m/100)
	for i := range n {
		row, r := y.RawRowView(i), rng.Stream(seed, "messy gaps", i)
		for t := range row {
			if r.Float64() < 0.01 {
				row[t] = math.NaN()
			}
		}
		for range r.IntN(4) {
			blank(row, r.IntN(m), 3+r.IntN(longest-2))
		}
	}
	r := rng.Stream(seed, "messy gateway")
	reach := 0.6 + 0.3*r.Float64() // from the corner, where the square has a diagonal of √2
	for range r.IntN(4) {
		from, length := r.IntN(m), 2+r.IntN(23)
		for i, at := range coordinates {
			if math.Hypot(at[0], at[1]) < reach {
				blank(y.RawRowView(i), from, length)
			}
		}
	}
}

func blank(row []float64, from, length int) {
	for t := from; t < min(from+length, len(row)); t++ {
		row[t] = math.NaN()
	}
}
