package simulate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// A quantity is what a network of sensors measures.
type quantity struct {
	name      string
	level     float64   // about where values lie
	spread    float64   // of the levels of sensors
	deviation float64   // of the field
	digits    []float64 // resolutions that sensors come with
	codes     []float64 // that loggers write when a sensor does not answer
	convert   func(float64) float64
}

var quantities = []quantity{
	{
		name: "temperature in °C", level: 14, spread: 1.5, deviation: 1.5, digits: []float64{0.01, 0.0625, 0.1, 0.1, 0.25},
		codes:   []float64{-999, 85, -127, 0},
		convert: func(v float64) float64 { return 1.8*v + 32 }, // to °F
	},
	{
		name: "air pressure in mbar", level: 1010, spread: 6, deviation: 2.5, digits: []float64{0.01, 0.1, 0.1, 0.2},
		codes:   []float64{-999, 9999, 0},
		convert: func(v float64) float64 { return 100 * v }, // to Pa
	},
	{
		name: "water level in m", level: 4, spread: 0.6, deviation: 0.2, digits: []float64{0.001, 0.005, 0.01, 0.02},
		codes:   []float64{-999, 99.99, 0},
		convert: func(v float64) float64 { return 1000 * v }, // to mm
	},
}

// A network is all that the sensors of a recording have in common, and what is each
// one's own. Sizes are standard deviations of the field.
type network struct {
	quantity quantity
	daily    float64 // amplitude of the daily cycle
	weekly   float64 // amplitude of the weekly cycle; zero if there is none
	trend    float64 // from the first observation to the last
	bend     float64 // of the trend
	sensors  []sensor
}

// A sensor is how a sensor sees the field and the weather.
type sensor struct {
	level         float64
	gain          float64
	resolution    float64
	daily, weekly wave
	trend         float64
}

// A wave is a cycle with its harmonics.
type wave struct {
	amplitude float64
	overtones [3]float64 // of the first harmonic and the next ones, over the amplitude
	phases    [3]float64
}

func (w wave) at(turn float64) float64 {
	sum := 0.0
	for k, share := range w.overtones {
		sum += share * math.Sin(float64(k+1)*turn+w.phases[k])
	}
	return w.amplitude * sum
}

func drawNetwork(n int, seed uint64) *network {
	r := rng.Stream(seed, "messy network")
	net := &network{quantity: quantities[r.IntN(len(quantities))], sensors: make([]sensor, n)}
	net.daily = between(r, 1.5, 3)
	if r.IntN(3) == 0 {
		net.weekly = between(r, 0.5, 1)
	}
	net.trend, net.bend = between(r, -4, 4), between(r, -1, 1)
	noon, monday := between(r, 0, 2*math.Pi), between(r, 0, 2*math.Pi)
	for i := range net.sensors {
		q, r := net.quantity, rng.Stream(seed, "messy sensor", i)
		wave := func(amplitude, phase float64) wave {
			return wave{
				amplitude: amplitude * between(r, 0.6, 1.4),
				overtones: [3]float64{1, between(r, 0.15, 0.4), between(r, 0, 0.15)},
				// A quarter of a radian of a day is an hour.
				phases: [3]float64{phase + 0.25*r.NormFloat64(), phase + 0.5*r.NormFloat64(), phase + r.NormFloat64()},
			}
		}
		net.sensors[i] = sensor{
			level: q.level + q.spread*r.NormFloat64(), gain: between(r, 0.7, 1.4), resolution: q.digits[r.IntN(len(q.digits))],
			daily: wave(net.daily, noon), weekly: wave(net.weekly, monday), trend: between(r, 0.6, 1.4),
		}
	}
	return net
}

// readings returns what the sensors would show without rounding, gaps and faults.
func (net *network) readings(field *mat.Dense) *mat.Dense {
	n, m := field.Dims()
	y := mat.NewDense(n, m, nil)
	for i, s := range net.sensors {
		for t, v := range field.RawRowView(i) {
			day, share := 2*math.Pi*float64(t)/24, float64(t)/float64(m)
			slow := net.trend*share + net.bend*math.Sin(math.Pi*share)
			weather := s.daily.at(day) + s.weekly.at(day/7) + s.trend*slow
			y.Set(i, t, s.level+s.gain*net.quantity.deviation*(v+weather))
		}
	}
	return y
}

// record returns what the sensors write down: readings with faults, rounded. What
// loggers and their clerks do to numbers comes after rounding.
func (net *network) record(readings *mat.Dense, faults []SensorFault, spec MessySpec) *mat.Dense {
	n, _ := readings.Dims()
	y := mat.NewDense(n, spec.Observations, nil)
	byVertex := map[int]*SensorFault{}
	for k := range faults {
		byVertex[faults[k].Vertex] = &faults[k]
	}
	for i, s := range net.sensors {
		row := y.RawRowView(i)
		copy(row, readings.RawRowView(i))
		b := breaker{
			row: row, ahead: readings.RawRowView(i), quantity: net.quantity, field: s.gain * net.quantity.deviation,
			all: deviation(row), r: rng.Stream(spec.Seed, "messy fault", i),
		}
		fault := byVertex[i]
		if fault != nil && !fault.Kind.digital() {
			b.apply(fault)
		}
		for t, v := range row {
			row[t] = rounded(v, s.resolution)
		}
		if fault != nil && fault.Kind.digital() {
			b.apply(fault)
		}
	}
	return y
}

// rounded returns the multiple of a resolution that is nearest to v, with no digits
// beyond the fourth.
func rounded(v, resolution float64) float64 {
	return math.Round(math.Round(v/resolution)*resolution*1e4) / 1e4
}
