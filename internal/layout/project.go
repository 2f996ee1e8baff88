package layout

import (
	"math"

	"github.com/nervure/nervure/internal/portable"
)

// project places vertices by their distances from the pivots, in the plane in which those differ most ([brandes2007]):
// squared distances, less the means over vertices and pivots, are nearly products of coordinates, and the
// first two principal axes of them are drawn. A large sheet is unfolded by that, and nearly in its place.
// far has the distances of each pivot from the vertices in the given order, in which the pivots come first.
func (d drawing) project(far [][]int32, order []int) {
	n, k := len(order), len(far)
	products := make([][]float64, k) // of the vertices, in their order
	byVertex := make([]float64, n)
	for p, row := range far {
		products[p] = make([]float64, n)
		sum := 0.0
		for v, length := range row {
			square := float64(length) / whole
			square *= square
			products[p][v] = square
			sum += square
			byVertex[v] += square / float64(k)
		}
		mean := sum / float64(n)
		for v := range row {
			products[p][v] -= mean
		}
	}
	mean := portable.Mean(byVertex)
	for _, row := range products {
		for v := range row {
			row[v] = -(row[v] - (byVertex[v] - mean)) / 2
		}
	}
	gram := make([][]float64, k)
	for p := range gram {
		gram[p] = make([]float64, k)
		for q := range p + 1 {
			gram[p][q] = portable.Dot(products[p], products[q])
			gram[q][p] = gram[p][q]
		}
	}
	first := principal(gram, nil)
	second := principal(gram, first)
	for _, axis := range []struct{ along, to []float64 }{{first, d.x}, {second, d.y}} {
		for v, i := range order {
			sum := 0.0
			for p, a := range axis.along {
				sum += float64(a * products[p][v])
			}
			axis.to[i] = sum
		}
	}
	d.fit(far, order)
	d.part() // those with the same distances go apart
}

// principal returns the direction in which a symmetric matrix is largest, among those that are orthogonal to
// another, by its powers.
func principal(gram [][]float64, other []float64) []float64 {
	const powers = 300
	v := make([]float64, len(gram))
	for p := range v {
		v[p] = 1 + float64(p%7) // no pattern that a direction would have
	}
	next := make([]float64, len(v))
	for range powers {
		for p := range next {
			next[p] = portable.Dot(gram[p], v)
		}
		if other != nil {
			along := portable.Dot(next, other)
			for p := range next {
				next[p] -= float64(along * other[p])
			}
		}
		size := math.Sqrt(portable.Dot(next, next))
		if size == 0 {
			break
		}
		for p := range v {
			v[p] = next[p] / size
		}
	}
	return v
}

// fit scales the drawing to the distances from the pivots.
func (d drawing) fit(far [][]int32, order []int) {
	wanted, squares := 0.0, 0.0
	for p, row := range far {
		for v, length := range row {
			r, _, _ := d.distance(order[p], order[v])
			wanted += float64(r * float64(length) / whole)
			squares += float64(r * r)
		}
	}
	if squares > 0 {
		d.scale(wanted / squares)
	}
}
