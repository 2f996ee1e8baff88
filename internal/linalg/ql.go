package linalg

import "math"

// sweepsPerValue bounds the QL iterations for one eigenvalue; two are usual.
const sweepsPerValue = 60

// implicitQL turns the symmetric tridiagonal matrix with diagonal d and
// off-diagonal e (e[i] couples i and i+1) into its eigenvalues, in d, and applies
// the same rotations to the rows of z, which are of length one ([bowdler1968]). It
// reports false if it does not converge, which no finite matrix is known to make
// it do.
func implicitQL(d, e []float64, z Dense) bool {
	n := len(d)
	for low := range n {
		for sweep := 0; ; sweep++ {
			// The block low…high is uncoupled from what follows.
			high := low
			for high < n-1 && math.Abs(e[high]) > negligibleLength+0x1p-53*(math.Abs(d[high])+math.Abs(d[high+1])) {
				high++
			}
			if high == low {
				break
			}
			if sweep == sweepsPerValue {
				return false
			}
			qlSweep(d, e, z, low, high)
		}
	}
	for i := range n {
		normalise(Row(z, i))
	}
	return true
}

// normalise gives a row the length one that rounded rotations have all but kept.
func normalise(row []float64) {
	scale := 1 / math.Sqrt(Dot(row, row))
	for k := range row {
		row[k] *= scale
	}
}

// qlSweep chases the bulge of one shifted QL step from row high up to row low.
func qlSweep(d, e []float64, z Dense, low, high int) {
	// Wilkinson's shift: the eigenvalue of the leading 2×2 block nearer to d[low].
	half := (d[low+1] - d[low]) / (2 * e[low])
	shift := d[low] - e[low]/(half+math.Copysign(math.Hypot(half, 1), half))
	g := d[high] - shift
	sin, cos, carry := 1.0, 1.0, 0.0
	for i := high - 1; i >= low; i-- {
		f, b := sin*e[i], cos*e[i]
		r := math.Sqrt(f*f + g*g)
		e[i+1] = r
		if r == 0 { // the block splits here
			d[i+1] -= carry
			e[high] = 0
			return
		}
		sin, cos = f/r, g/r
		g = d[i+1] - carry
		t := (d[i]-g)*sin + 2*cos*b
		carry = sin * t
		d[i+1] = g + carry
		g = cos*t - b
		Rotate(Row(z, i), Row(z, i+1), cos, sin)
	}
	d[low] -= carry
	e[low], e[high] = g, 0
}
