package simulate

import (
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// A FieldKind is a named law of graphs and of signals on them that are not sums of
// few patterns, to measure on how far answers can be trusted.
type FieldKind struct {
	Name string
	// Family is what kinds have in common that a calibration should not know of when it is judged on
	// one of them.
	Family string
	// Draw draws the graph and the signals of a seed. Their numbers and what spoils
	// the measurements differ from seed to seed.
	Draw func(seed uint64) (*synth.FieldTruth, error)
}

// FieldKinds returns all kinds. Sizes are such that a graph is learned within seconds.
func FieldKinds() []FieldKind {
	var kinds []FieldKind
	for _, law := range synth.FieldLaws() {
		for _, on := range fieldGraphs {
			kinds = append(kinds, FieldKind{string(law) + " on " + on.name, string(law), func(seed uint64) (*synth.FieldTruth, error) {
				size := drawSize(seed)
				g, err := on.draw(size.vertices, seed)
				if err != nil {
					return nil, err
				}
				return synth.Field(g, synth.FieldSpec{
					Law: law, Count: size.signals, Ridge: size.pick(0.001, 0.01, 0.1, 0.5), Tau: size.pick(0.5, 1, 2, 4),
					Memory:      size.pick(0.7, 0.9, 0.97),
					FieldFaults: size.faults, Seed: seed,
				})
			}})
		}
	}
	for _, quantity := range []PowerQuantity{VoltageMagnitudes, VoltageAngles} {
		kinds = append(kinds, FieldKind{"voltage " + string(quantity), "voltage", func(seed uint64) (*synth.FieldTruth, error) {
			size := drawSize(seed)
			n := min(size.vertices, 50)
			g, err := Feeder(n, int(size.pick(0, 0.05, 0.15)*float64(n)), rng.Stream(seed, "feeder"))
			if err != nil {
				return nil, err
			}
			size.faults.Skew, size.faults.Noise = 0, size.pick(0, 0.01, 0.03) // as voltages are measured
			return PowerFlow(g, PowerSpec{
				Quantity: quantity, Count: min(size.signals, 400), Shared: size.pick(0, 0.2, 0.5),
				FieldFaults: size.faults, Seed: seed,
			})
		}})
	}
	for _, k := range spoiledKinds {
		kinds = append(kinds, FieldKind{k.name, k.name, func(seed uint64) (*synth.FieldTruth,
			error,
		) {
			return drawSpoiled(seed, k.name, k.draw)
		}})
	}
	return kinds
}

// fieldGraphs are the graphs of the kinds.
var fieldGraphs = []struct {
	name string
	draw func(n int, seed uint64) (*graph.Graph, error)
}{
	{"grid", ofFamily(synth.GraphSpec{Family: synth.FamilyGrid, Weights: synth.UniformWeights})},
	{"sensors", ofFamily(synth.GraphSpec{Family: synth.FamilyRBF, EdgeFactor: 2.5})},
	{"tree", func(n int, seed uint64) (*graph.Graph, error) { return Feeder(n, 0, rng.Stream(seed, "feeder")) }},
	{"random graph", ofFamily(synth.GraphSpec{Family: synth.FamilyER, EdgeFactor: 2, Weights: synth.UniformWeights})},
}

func ofFamily(spec synth.GraphSpec) func(n int, seed uint64) (*graph.Graph, error) {
	return func(n int, seed uint64) (*graph.Graph, error) {
		this := spec
		this.Vertices, this.Seed = n, seed
		s, err := synth.Graph(this)
		return s.Graph, err
	}
}

// A fieldSize is what differs between the seeds of a kind.
type fieldSize struct {
	vertices, signals int
	faults            synth.FieldFaults
	pick              func(choices ...float64) float64
}

func drawSize(seed uint64) fieldSize {
	r := rng.Stream(seed, "field size")
	pick := func(choices ...float64) float64 { return choices[r.IntN(len(choices))] }
	return fieldSize{
		vertices: int(pick(20, 36, 64, 100)), signals: int(pick(60, 150, 400, 1000)),
		faults: synth.FieldFaults{Noise: pick(0, 0, 0.1, 0.3), Skew: pick(0, 0, 0.5), Hidden: pick(0, 0, 0, 0.1)},
		pick:   pick,
	}
}

// Feeder draws a tree that grows from vertex 0, and chords between vertices that are
// two or three branches apart, as distribution grids have ring connections. Each new
// vertex hangs on one of the last few, so that there are long branches. Weights are
// uniform in [0.5, 1.5).
func Feeder(n, chords int, r *rand.Rand) (*graph.Graph, error) {
	if n < 3 || chords < 0 || chords > n {
		return nil, input.Errorf("simulate.Feeder", "", "got %d vertices and %d chords, want at least 3 vertices and at most as many chords as vertices", n, chords)
	}
	parent := make([]int, n)
	joined := map[[2]int]bool{}
	var edges []graph.Edge
	join := func(i, j int) bool {
		pair := [2]int{min(i, j), max(i, j)}
		if i == j || joined[pair] {
			return false
		}
		joined[pair] = true
		edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: 0.5 + r.Float64()})
		return true
	}
	for i := 1; i < n; i++ {
		parent[i] = max(0, i-1-r.IntN(feederReach))
		join(i, parent[i])
	}
	for tries := 0; chords > 0 && tries < feederTries*n; tries++ {
		i := 1 + r.IntN(n-1)
		j := parent[parent[i]]
		if r.IntN(2) == 0 {
			j = parent[j]
		}
		if join(i, j) {
			chords--
		}
	}
	return graph.New(graph.DefaultNames(n), edges)
}

const (
	feederReach = 4  // of how many last vertices one carries the next
	feederTries = 20 // for each vertex, to find the chords
)
