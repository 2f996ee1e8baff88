// Package nearest finds for each row of a matrix the other rows whose products with it are largest.
//
// Products are computed block by block, and those of all pairs are never stored or sorted: memory is a
// few numbers for each row. Blocks and threads change nothing, to the last bit, because the product of two
// rows does not depend on what it is computed with.
package nearest

import (
	"context"
	"math"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
)

// blockRows is how many rows are multiplied with as many others at a time: they fit into a processor's
// cache.
const blockRows = 256

// A Search is for the rows nearest to each of X.
type Search struct {
	X       linalg.Dense
	Count   int     // how many are wanted of each row
	Above   float64 // only values above this count
	Threads int     // the result does not depend on it; less than 1 means 1

	// Weigh turns the products of row i with the rows from first on into values, which must be the same
	// for i and j as for j and i; nil leaves the products.
	Weigh func(i, first int, products []float64)
	// Progress, if not nil, is called with the share of the pairs that are done.
	Progress func(share float64)
}

// Absolute is a Weigh for which signs do not matter.
func Absolute(_, _ int, products []float64) {
	for j, v := range products {
		products[j] = math.Abs(v)
	}
}

// All returns the nearest of every row. Every block of rows meets every block once, and what two rows
// have in common counts for both. It is nil if ctx ends.
func (s Search) All(ctx context.Context) []Best {
	all, _ := s.Between(ctx, s.X, s.X, 0, 0)
	return all
}

// Between returns the nearest of each of some rows among columns, which are rows as well, and the other way
// round, by the vertices that the first of both are of. The two have none in common, or are the same: then
// both results are one. They are nil if ctx ends.
func (s Search) Between(ctx context.Context, rows, columns linalg.Dense, firstRow, firstColumn int) (ofRows, ofColumns []Best) {
	threads, same := max(s.Threads, 1), firstRow == firstColumn
	ofRows = s.None(rows.Rows)
	if ofColumns = ofRows; !same {
		ofColumns = s.None(columns.Rows)
	}
	across, down := blocksOf(columns.Rows), blocksOf(rows.Rows)
	tiles := make([]linalg.Dense, threads)
	own := make([][]Best, threads)
	for a := range down {
		s.tell(a, down, same)
		of := block(rows, a)
		for w := range own {
			own[w] = own[w][:0]
		}
		from := 0
		if same {
			from = a
		}
		linalg.ForEach(threads, across-from, func(worker, offset int) {
			if run.Ended(ctx) != nil {
				return
			}
			if tiles[worker].Data == nil {
				tiles[worker] = linalg.NewDense(blockRows, blockRows)
			}
			if len(own[worker]) == 0 {
				for i := range of.Rows {
					best := NewBest(s.Count, s.Above)
					best.least = ofRows[a*blockRows+i].least // what earlier blocks have found counts, too
					own[worker] = append(own[worker], best)
				}
			}
			b := from + offset
			with := block(columns, b)
			t := tile{linalg.Within(tiles[worker], of.Rows, with.Rows), firstRow + a*blockRows, firstColumn + b*blockRows}
			linalg.MulTransB(t.products, of, with)
			if same && a == b {
				s.take(t, own[worker], own[worker])
			} else {
				s.take(t, own[worker], ofColumns[b*blockRows:])
			}
		})
		if ctx.Err() != nil {
			return nil, nil
		}
		for _, found := range own {
			for i := range found {
				for _, v := range found[i].values {
					ofRows[a*blockRows+i].Offer(v.Value, int(v.Vertex))
				}
			}
		}
	}
	return ofRows, ofColumns
}

// None returns what nothing was found of yet.
func (s Search) None(rows int) []Best {
	all := make([]Best, rows)
	for i := range all {
		all[i] = NewBest(s.Count, s.Above)
	}
	return all
}

// tell says that some of the blocks of rows are done.
func (s Search) tell(done, of int, same bool) {
	if s.Progress == nil {
		return
	}
	share := float64(done) / float64(of)
	if same { // later ones meet fewer blocks
		share = float64(share * (2 - share))
	}
	s.Progress(share)
}

// A tile has the products of the rows of two blocks, from those vertices on.
type tile struct {
	products              linalg.Dense
	firstRow, firstColumn int
}

// take offers the products of a tile to the rows of both blocks. The second belong to this tile alone
// while the first block is worked at, unless they are the same.
func (s Search) take(t tile, own, others []Best) {
	for i := range t.products.Rows {
		row, to := linalg.Row(t.products, i), &own[i]
		if s.Weigh != nil {
			s.Weigh(t.firstRow+i, t.firstColumn, row)
		}
		first := 0
		if t.firstRow == t.firstColumn {
			first = i + 1
		}
		for j := first; j < len(row); j++ {
			v := row[j]
			if v >= to.least {
				to.Offer(v, t.firstColumn+j)
			}
			if other := &others[j]; v >= other.least {
				other.Offer(v, t.firstRow+i)
			}
		}
	}
}

// Of returns the nearest of some rows among all others, but for pairs that are skipped; skip may be nil.
// It is nil if ctx ends.
func (s Search) Of(ctx context.Context, rows []int, skip func(i, j int) bool) []Best {
	found := make([]Best, len(rows))
	for k := range found {
		found[k] = NewBest(s.Count, s.Above)
	}
	row := func(k int) []float64 { return linalg.Row(s.X, rows[k]) }
	Products(ctx, s.Threads, len(rows), row, s.X, func(k, first int, products []float64) {
		i, to := rows[k], &found[k]
		if s.Weigh != nil {
			s.Weigh(i, first, products)
		}
		for j, v := range products {
			if v >= to.least && first+j != i && (skip == nil || !skip(i, first+j)) {
				to.Offer(v, first+j)
			}
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	return found
}

// Products calls take with the products of each of count rows with those of x, from row first of x on,
// block after block; what is of one row comes in order. It ends early if ctx does.
func Products(ctx context.Context, threads, count int, row func(k int) []float64, x linalg.Dense, take func(k,
	first int, products []float64),
) {
	linalg.ForEach(max(threads, 1), blocksOf(count), func(_, g int) {
		first := g * blockRows
		rows := linalg.NewDense(min(blockRows, count-first), x.Cols)
		for k := range rows.Rows {
			copy(linalg.Row(rows, k), row(first+k))
		}
		memory := linalg.NewDense(blockRows, blockRows)
		for b := range blocksOf(x.Rows) {
			if run.Ended(ctx) != nil {
				return
			}
			columns := block(x, b)
			tile := linalg.Within(memory, rows.Rows, columns.Rows)
			linalg.MulTransB(tile, rows, columns)
			for k := range rows.Rows {
				take(first+k, b*blockRows, linalg.Row(tile, k))
			}
		}
	})
}

// blocksOf returns how many blocks there are of that many rows.
func blocksOf(rows int) int { return (rows + blockRows - 1) / blockRows }

// block returns the rows of a block.
func block(of linalg.Dense, b int) linalg.Dense {
	return linalg.RowsFrom(of, b*blockRows, blockRows)
}
