package report

import (
	"fmt"
	"math"

	"github.com/nervure/nervure/learn"
)

// A usage is how often the codes use each atom.
type usage struct {
	Counts [][]int `json:"counts"` // of signals, by kernel and vertex
	Odd    []int   `json:"odd"`    // vertices used far more than others, the most used first
	// Words name the first of them, a sentence each.
	Words []string `json:"-"`
}

// newUsage counts for each kernel and vertex the signals that use its atom. A vertex
// that is off on its own, like a bad sensor, takes an atom of its own in signal after
// signal: it is here that it stands out, for nothing of it is left over.
func newUsage(r *learn.Result) *usage {
	n := r.Graph.Vertices()
	u := &usage{Counts: make([][]int, len(r.Model.Kernels))}
	for k := range u.Counts {
		u.Counts[k] = make([]int, n)
	}
	_, signals := r.Codes.Dims()
	for m := range signals {
		used, _ := r.Codes.Column(m)
		for _, j := range used {
			u.Counts[int(j)/n][int(j)%n]++
		}
	}
	total := u.total(n)
	var median float64
	// Chance alone makes counts differ by a few times their root.
	u.Odd, median = oddOnes(total, func(median float64) float64 { return median + 6*math.Sqrt(median) + 6 })
	names := r.Graph.Names()
	u.Words = oddWords(u.Odd, func(i int) string {
		return fmt.Sprintf("Vertex %q is used %.0f times in %d signals, %s: much of its signal is explained by its own atoms, as for a faulty sensor.",
			names[i], total[i], signals, times(total[i], median))
	})
	return u
}

// total is how often each of n vertices is used, whatever the kernel.
func (u *usage) total(n int) []float64 {
	sum := make([]float64, n)
	for _, counts := range u.Counts {
		for i, c := range counts {
			sum[i] += float64(c)
		}
	}
	return sum
}
