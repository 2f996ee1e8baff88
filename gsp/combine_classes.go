package gsp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Classes turns the classes of vertices, "" where none is known, into label vectors
// for [Combine]: one for each class, in the order of their names, with 1 in it and −1
// in the others.
func Classes(of []string) (names []string, labels *mat.Dense) {
	for _, name := range of {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	labels = mat.NewDense(len(of), max(1, len(names)), nil)
	labels.Apply(func(i, k int, _ float64) float64 {
		switch of[i] {
		case "":
			return math.NaN()
		case names[k]:
			return 1
		}
		return -1
	}, labels)
	return names, labels
}

// NearestClasses returns for each row of a prediction the class with the largest entry, the
// first of equals.
func NearestClasses(names []string, prediction *mat.Dense) []string {
	n, _ := prediction.Dims()
	classes := make([]string, n)
	for i := range classes {
		best, row := 0, prediction.RawRowView(i)
		for k, v := range row {
			if v > row[best] {
				best = k
			}
		}
		classes[i] = names[best]
	}
	return classes
}
