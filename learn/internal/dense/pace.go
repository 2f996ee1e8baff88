package dense

import "time"

// A pace says how much work goes into the last part of learning, from the best point
// to the answer.
type pace struct {
	// rounds is how many rounds of coding and graph update there are at least, before
	// the weights are pruned.
	rounds int

	// pathKeeps is the share of the edges that each step of the pruning path keeps.
	pathKeeps float64
	// pathSteps bounds the quasi-Newton steps of one fit on the path.
	pathSteps int
	// pathFits is how many parts of the signals are held out in turn.
	pathFits int
	// pathSignals is the most signals that the path looks at. With more, it takes
	// longer and bends at the same place.
	pathSignals int

	// polishes bounds the passes of a polish, and polishSteps the quasi-Newton steps of
	// one pass.
	polishes, polishSteps int
}

// inFull is the pace of a run that comes to its end.
var inFull = pace{pathKeeps: 0.92, pathSteps: 10, pathFits: pathFolds, pathSignals: 800, polishes: len(polishWidths), polishSteps: 400}

// The paces of a run that was stopped. Its answer is to come within a second or two, and
// its edges are to be about those of a run that came to its end: the larger the
// problem, the coarser the steps.
var (
	smallInShort  = pace{rounds: 10, pathKeeps: 0.92, pathSteps: 10, pathFits: pathFolds, pathSignals: 400, polishes: 4, polishSteps: 100}
	mediumInShort = pace{rounds: 5, pathKeeps: 0.85, pathSteps: 10, pathFits: 2, pathSignals: 800, polishes: 2, polishSteps: 50}
	inShort       = pace{rounds: 3, pathKeeps: 0.8, pathSteps: 10, pathFits: 1, pathSignals: 400, polishes: 1, polishSteps: 20}
)

// Up to how many vertices and values a problem is small or medium: the path factorises
// a matrix of all vertices in every step, and codes all values.
const (
	smallVertices, smallValues   = 60, 10_000
	mediumVertices, mediumValues = 120, 60_000
)

// shortPace returns the pace of a run that was stopped, by its vertices and signals.
func shortPace(n, m int) pace {
	switch {
	case n <= smallVertices && n*m <= smallValues:
		return smallInShort
	case n <= mediumVertices && n*m <= mediumValues:
		return mediumInShort
	}
	return inShort
}

// littleTime is how much time there must be for more than the coarsest steps.
const littleTime = 2 * time.Second
