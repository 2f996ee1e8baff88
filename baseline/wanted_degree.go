package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// smoothDegree is the wanted mean number of neighbours when none is given: that
// of a graph with three edges a vertex.
const smoothDegree = 6

// resolveDegree returns the wanted degree on n vertices, at most n−1.
func resolveDegree(op string, degree float64, n int) (float64, error) {
	switch {
	case degree == 0:
		degree = smoothDegree
	case degree < 1:
		return 0, input.Errorf(op, "degree", "got %g, want at least 1", degree)
	}
	return min(degree, float64(n-1)), nil
}

// missed returns a warning if g has not nearly the wanted degree.
func missed(g *graph.Graph, degree float64) []string {
	got := 2 * float64(g.EdgeCount()) / float64(g.Vertices())
	if math.Abs(got-degree) <= max(0.25*degree, 1) {
		return nil
	}
	return []string{fmt.Sprintf("the mean number of neighbours is %.3g, wanted was %.3g", got, degree)}
}

// thetaForDegree returns the θ for which SmoothLog is expected to give each
// vertex k neighbours on average, 1 ≤ k ≤ N−1 ([kalofolias2019]).
//
// If the rows of W were free of each other, vertex i would have k neighbours for
// θ between u_{k+1} and u_k, where
//
//	u_k = 1/√(k Z_k² − B_k Z_k),   B_k = Z_1 + … + Z_k,
//
// and Z_1 ≤ Z_2 ≤ … are its distances to the others. The rule takes the means of
// both ends over the vertices, and their geometric mean for θ.
//
// Where the paper says nothing: a k between whole numbers is interpolated
// geometrically; vertices whose k nearest are equally far, for which u_k is
// infinite, are left out of the mean; a missing end, such as u_1 and u_N, is
// taken to be as far off as the other end is from its own neighbour. If no
// distances differ, every θ gives all edges, and θ = 1.
func thetaForDegree(rows [][]float64, k float64) float64 {
	low := math.Floor(k)
	at := func(k int) float64 { return math.Sqrt(thetaEnd(rows, k) * thetaEnd(rows, k+1)) }
	theta := at(int(low))
	if share := k - low; share > 0 {
		theta = math.Pow(theta, 1-share) * math.Pow(at(int(low)+1), share)
	}
	if !(theta > 0) || math.IsInf(theta, 0) {
		return 1
	}
	return theta
}

// thetaEnd returns u_k, extended to k for which there is none.
func thetaEnd(rows [][]float64, k int) float64 {
	if u := meanThetaEnd(rows, k); u > 0 {
		return u
	}
	most := len(rows[0])
	if k > most { // beyond all edges
		a, b := meanThetaEnd(rows, most), meanThetaEnd(rows, most-1)
		if a > 0 && b > a {
			return a * a / b
		}
		return a / 2
	}
	for l := k + 1; l <= most; l++ {
		if a := meanThetaEnd(rows, l); a > 0 {
			if b := meanThetaEnd(rows, l+1); b > 0 && a > b {
				return a * math.Pow(a/b, float64(l-k))
			}
			return 2 * a
		}
	}
	return 0
}

// meanThetaEnd returns the mean of u_k over the vertices that have one, else 0.
func meanThetaEnd(rows [][]float64, k int) float64 {
	if k < 1 || k > len(rows[0]) {
		return 0
	}
	var sum float64
	count := 0
	for _, row := range rows {
		far := row[k-1]
		var less float64 // k Z_k − B_k
		for _, z := range row[:k] {
			less += far - z
		}
		if u := 1 / math.Sqrt(far*less); u > 0 && !math.IsInf(u, 0) {
			sum += u
			count++
		}
	}
	return sum / float64(max(count, 1))
}

// spreadForDegree returns the a for which SmoothL2 is expected to give each vertex
// k neighbours on average, 1 ≤ k ≤ N−1.
//
// If the rows of W were free of each other but for the sum of all weights, with
// multiplier λ, a row would minimise z·w + (a/2)(‖w‖² + (Σw)²) − λΣw. Its k
// nearest neighbours get a weight if λ > (k+1)Z_k − B_k, whatever a is, and then
// aΣw = (kλ − B_k)/(k+1). So λ is chosen such that the rows have N·k neighbours in
// all, and a follows from the sum of all weights, N.
//
// If no distances differ, every a gives all edges, and a = 1.
func spreadForDegree(rows [][]float64, k float64) float64 {
	var ends []float64
	for _, row := range rows {
		var sum float64
		for j, z := range row {
			sum += z
			ends = append(ends, float64(j+2)*z-sum)
		}
	}
	slices.Sort(ends)
	wanted := min(max(int(math.Round(k*float64(len(rows)))), 1), len(ends))
	lambda := ends[wanted-1]
	if wanted < len(ends) {
		lambda = (lambda + ends[wanted]) / 2
	} else {
		lambda *= 1.1
	}
	var a float64
	for _, row := range rows {
		var sum, share float64
		for j, z := range row {
			if sum += z; float64(j+2)*z-sum >= lambda {
				break
			}
			share = (float64(j+1)*lambda - sum) / float64(j+2)
		}
		a += share / float64(len(rows))
	}
	if !(a > 0) {
		return 1
	}
	return a
}
