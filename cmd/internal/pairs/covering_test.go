package pairs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

// Tuples are combinations of values of some columns of an array, and which of those wanted no row has yet.
type tuples struct {
	columns []int
	sizes   []int // of all columns of the array
	missing []bool
	count   int // how many are missing
	wanted  int // how many were at first
}

// newTuples are those of the combinations that wanted says, of rows with no value in all other columns.
func newTuples(sizes []int, wanted func(row []int) bool, columns ...int) *tuples {
	t, all := &tuples{columns: columns, sizes: sizes}, 1
	for _, c := range columns {
		all *= sizes[c]
	}
	t.missing = make([]bool, all)
	for place := range all {
		row := slices.Repeat([]int{-1}, len(sizes))
		if t.fill(row, place); wanted(row) {
			t.missing[place] = true
			t.count++
		}
	}
	t.wanted = t.count
	return t
}

// at is the place of what a row has in the columns; -1 if it has no value in one of them.
func (t *tuples) at(row []int) (place int) {
	for _, c := range t.columns {
		if row[c] < 0 {
			return -1
		}
		place = place*t.sizes[c] + row[c]
	}
	return place
}

// fill puts the values at a place into a row.
func (t *tuples) fill(row []int, place int) {
	for _, c := range slices.Backward(t.columns) {
		row[c] = place % t.sizes[c]
		place /= t.sizes[c]
	}
}

// someMissing is the place of a tuple that is missing, drawn at random.
func (t *tuples) someMissing(r *rand.Rand) int {
	start := r.IntN(len(t.missing))
	for k := range t.missing {
		if place := (start + k) % len(t.missing); t.missing[place] {
			return place
		}
	}
	return -1
}

// tables are the wanted combinations of values of one, two and three columns, where some is true of their
// number and of how many combinations there are; of three columns, only the first few columns count.
func tables(sizes []int, wanted func([]int) bool, triplesOf int, some func(columns, all int) bool) (list []*tuples) {
	add := func(columns ...int) {
		all := 1
		for _, c := range columns {
			all *= sizes[c]
		}
		if some(len(columns), all) {
			list = append(list, newTuples(sizes, wanted, columns...))
		}
	}
	for i := range sizes {
		add(i)
		for j := range i {
			add(j, i)
			for k := range j {
				if i < triplesOf {
					add(k, j, i)
				}
			}
		}
	}
	return list
}

// covering draws an array in which every one of the tuples occurs, row by row and greedily: a row
// starts with a tuple that is missing, of the columns that miss most. Its other columns, in random
// order, get the value that makes most missing tuples, of those that nothing in the row rules out.
func covering(sizes []int, wanted []*tuples, possible func(row []int) bool, r *rand.Rand) (rows [][]int) {
	of := make([][]*tuples, len(sizes))
	for _, t := range wanted {
		for _, c := range t.columns {
			of[c] = append(of[c], t)
		}
	}
	for {
		most := slices.MaxFunc(wanted, func(a, b *tuples) int { return a.count - b.count })
		if most.count == 0 {
			return rows
		}
		row := slices.Repeat([]int{-1}, len(sizes))
		most.fill(row, most.someMissing(r))
		for _, c := range r.Perm(len(sizes)) {
			if row[c] < 0 {
				row[c] = bestValue(row, c, sizes[c], of[c], possible, r)
			}
		}
		for _, t := range wanted {
			if place := t.at(row); t.missing[place] {
				t.missing[place] = false
				t.count--
			}
		}
		rows = append(rows, row)
	}
}

// bestValue is the value of a column that makes most missing tuples with what a row already has.
func bestValue(row []int, column, size int, of []*tuples, possible func([]int) bool, r *rand.Rand) (best int) {
	gain := -2
	for _, value := range r.Perm(size) {
		row[column] = value
		made := 0
		for _, t := range of {
			if place := t.at(row); place >= 0 && t.missing[place] {
				made++
			}
		}
		if !possible(row) {
			made = -1
		}
		if made > gain {
			gain, best = made, value
		}
	}
	return best
}

func anything([]int) bool { return true }

func many(columns, _ int) bool { return columns > 1 }

// Every pair of values and every triple of the first columns is in a row, counted by themselves.
func TestAnArrayHasEveryPairAndTriple(t *testing.T) {
	sizes := []int{5, 2, 3, 4, 1, 7}
	rows := covering(sizes, tables(sizes, anything, 3, many), anything, rng.Stream(1, "covering"))
	seen := map[[6]int]bool{} // columns and values; a pair has its first column twice
	for _, row := range rows {
		for i := range row {
			for j := range i {
				seen[[6]int{i, j, j, row[i], row[j], row[j]}] = true
				for k := range j {
					if i < 3 {
						seen[[6]int{i, j, k, row[i], row[j], row[k]}] = true
					}
				}
			}
		}
	}
	want := sizes[0] * sizes[1] * sizes[2]
	for i := range sizes {
		for j := range i {
			want += sizes[i] * sizes[j]
		}
	}
	if len(seen) != want {
		t.Errorf("%d pairs and triples are in the array, want %d", len(seen), want)
	}
	if len(rows) > 2*5*7 {
		t.Errorf("%d rows, where the largest pair of columns needs %d", len(rows), 5*7)
	}
}

// A pair that is ruled out is in no row, and all other pairs are.
func TestAnArrayDoesWithoutWhatIsRuledOut(t *testing.T) {
	sizes := []int{3, 3, 4}
	possible := func(row []int) bool { return row[0] != 1 || row[1] != 2 }
	rows := covering(sizes, tables(sizes, possible, 0, many), possible, rng.Stream(1, "covering"))
	seen := map[[2]int]bool{}
	for _, row := range rows {
		seen[[2]int{row[0], row[1]}] = true
	}
	if len(seen) != 8 || seen[[2]int{1, 2}] {
		t.Errorf("got the pairs %v", seen)
	}
}
