package dataio

import "math"

// Places returns where the vertices lie in the plane, y pointing up, from
// columns of latitude and longitude (lat or latitude; lon, lng, long or
// longitude; degrees) or else from columns x and y. Degrees are drawn to scale:
// x is the longitude times the cosine of the mean latitude, and geographic is
// true. Where a place is not known, both are NaN. Unless at least two are, ok is
// false and the rest nil.
func (t *VertexTable) Places() (x, y []float64, geographic, ok bool) {
	lat := t.numbers(90, "lat", "latitude")
	lon := t.numbers(360, "lon", "lng", "long", "longitude")
	if x, y, ok = pairs(lon, lat); ok {
		mean, known := 0.0, 0
		for _, v := range y {
			if !math.IsNaN(v) {
				mean += v
				known++
			}
		}
		stretch := math.Cos(mean / float64(known) * math.Pi / 180)
		for i := range x {
			x[i] *= stretch
		}
		return x, y, true, true
	}
	x, y, ok = pairs(t.numbers(math.MaxFloat64, "x"), t.numbers(math.MaxFloat64, "y"))
	return x, y, false, ok
}

// numbers returns the first column of numbers with one of the names, in any
// case, or nil if there is none or a number in it is larger than most.
func (t *VertexTable) numbers(most float64, names ...string) []float64 {
	for _, name := range names {
		c := t.find(name)
		if c < 0 || t.Columns[c].Numbers == nil {
			continue
		}
		for _, v := range t.Columns[c].Numbers {
			if math.Abs(v) > most {
				return nil
			}
		}
		return t.Columns[c].Numbers
	}
	return nil
}

// pairs copies two columns and leaves a vertex that lacks one without both.
func pairs(a, b []float64) (x, y []float64, ok bool) {
	if a == nil || b == nil {
		return nil, nil, false
	}
	x, y = make([]float64, len(a)), make([]float64, len(a))
	known := 0
	for i := range a {
		x[i], y[i] = math.NaN(), math.NaN()
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x[i], y[i] = a[i], b[i]
			known++
		}
	}
	if known < 2 {
		return nil, nil, false
	}
	return x, y, true
}
