package groups

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
)

// A Design says what is known about each unit. Without groups, the question is about the covariate.
type Design struct {
	Unit   string   // what a unit is, such as "file"; for sentences
	By     string   // what the groups are by, such as "diagnosis"; for sentences
	Groups []string // of each unit; nil if there are none
	// Subjects says whose each unit is, if a subject has several, such as one before and one after: then units
	// are compared within subjects. Nil if each has one.
	Paired   string
	Subjects []string
	// Covariate is a number of each unit, such as the age. With groups they are adjusted for it.
	CovariateName string
	Covariate     []float64
}

// A model is a design as orthonormal columns, without the means of the blocks within which units are permuted.
type model struct {
	units  int
	blocks [][]int // units that may take each other's places
	levels []string
	counts []int // units of each level
	group  []int // level of each unit
	// nuisance and interest are orthonormal columns over the units, orthogonal to the means of blocks and to each
	// other.
	nuisance, interest [][]float64
	contrasts          []contrast
	df                 float64 // degrees of freedom that are left
	least              float64 // the smallest p-value
	separate           bool    // each group has a variance of its own
}

// A contrast is a difference that is estimated: its weights over the units, and their sum of squares.
type contrast struct {
	weights []float64
	squares float64
}

// named returns a design with the words that sentences are to have where it has none.
func (d Design) named() Design {
	d.Unit, d.By, d.Paired = cmp.Or(d.Unit, "unit"), cmp.Or(d.By, "group"), cmp.Or(d.Paired, "subjects")
	d.CovariateName = cmp.Or(d.CovariateName, "the covariate")
	return d
}

// refused says why a design cannot be tested.
func refused(format string, args ...any) error {
	return input.Completef("groups", "design", format, args...)
}

// model prepares a design for units, or finds its fault.
func (d Design) model(units int) (*model, error) {
	if err := d.check(units); err != nil {
		return nil, err
	}
	m := &model{units: units, blocks: d.blocks(units)}
	if d.Covariate != nil && d.Groups != nil {
		if column, left := m.orthogonal(d.Covariate, nil); left {
			m.nuisance = append(m.nuisance, column)
		}
	}
	asked := [][]float64{d.Covariate}
	if d.Groups != nil {
		m.levels, m.group = levelsOf(d.Groups)
		m.counts, asked = m.sizes(matrix.Span(0, units)), m.dummies()
	}
	for _, column := range asked {
		if basis, left := m.orthogonal(column, slices.Concat(m.nuisance, m.interest)); left {
			m.interest = append(m.interest, basis)
		}
	}
	if len(m.interest) < len(asked) {
		return nil, d.confounded()
	}
	for k, column := range asked { // each beside the others
		others := slices.Clone(m.nuisance)
		for l, other := range asked {
			if basis, left := m.orthogonal(other, others); left && l != k {
				others = append(others, basis)
			}
		}
		weights := m.within(column)
		for _, b := range others {
			remove(weights, b)
		}
		squares := portable.Dot(weights, weights)
		for u := range weights {
			weights[u] /= squares
		}
		m.contrasts = append(m.contrasts, contrast{weights, squares})
	}
	m.df = float64(units - len(m.blocks) - len(m.nuisance) - len(m.interest))
	m.least, m.separate = m.leastP(d), m.separates(d)
	return m, d.enough(m)
}

// check finds numbers that do not fit.
func (d Design) check(units int) error {
	for _, n := range []int{len(d.Groups), len(d.Subjects), len(d.Covariate)} {
		if n != 0 && n != units {
			return input.Errorf("groups", "design", "got %d entries for %s", n, words.Plural(units, d.Unit))
		}
	}
	if d.Groups == nil && d.Covariate == nil {
		return refused("there are neither groups nor a covariate to compare by")
	}
	for u, x := range d.Covariate {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return refused("%s of %s %d is not a number", d.CovariateName, d.Unit, u+1)
		}
	}
	if levels, _ := levelsOf(d.Groups); d.Groups != nil && len(levels) < 2 {
		return refused("all %ss have %s %s: two groups are needed", d.Unit, d.By, levels[0])
	}
	return nil
}

// confounded says why the question has no answer.
func (d Design) confounded() error {
	switch {
	case d.Groups == nil:
		return refused("%s is the same for all %ss that are compared", d.CovariateName, d.Unit)
	case d.Subjects != nil:
		return refused("%s hardly varies within %s: leave the pairing out, with one %s for each subject", d.By, d.Paired, d.Unit)
	}
	return refused("%s and %s cannot be told apart: leave the covariate out", d.By, d.CovariateName)
}

// significant is the p-value from which on a difference is called one.
const significant = 0.05

// enough refuses designs whose units are too few to show anything, and says how many would do.
func (d Design) enough(m *model) error {
	units := words.Plural(m.units, d.Unit)
	switch {
	case m.df < 1:
		return refused("%s are too few for a test: at least %d are needed", units, m.units+1-int(m.df))
	case m.least > significant && d.Subjects != nil:
		return refused("%s are too few for a test: no permutation within them gives a p-value below %.2g; 6 with two %ss each would do", words.Plural(len(m.blocks), "subject"), m.least, d.Unit)
	case m.least > significant:
		return refused("%s are too few for a test: no permutation of them gives a p-value below %.2g; 4 in each of two groups, or 3 in each of three, would do", units, m.least)
	}
	return nil
}

// levelsOf returns the groups in order, and the place of each unit's.
func levelsOf(groups []string) ([]string, []int) {
	levels := slices.Clone(groups)
	slices.Sort(levels)
	levels = slices.Compact(levels)
	of := make([]int, len(groups))
	for u, g := range groups {
		of[u], _ = slices.BinarySearch(levels, g)
	}
	return levels, of
}

// blocks returns the units of each subject, or all at once.
func (d Design) blocks(units int) [][]int {
	levels, of := []string{""}, make([]int, units)
	if d.Subjects != nil {
		levels, of = levelsOf(d.Subjects)
	}
	blocks := make([][]int, len(levels))
	for u, b := range of {
		blocks[b] = append(blocks[b], u)
	}
	return blocks
}

// dummies returns a column for each group but the first.
func (m *model) dummies() [][]float64 {
	columns := make([][]float64, len(m.levels)-1)
	for k := range columns {
		columns[k] = make([]float64, m.units)
		for u, g := range m.group {
			if g == k+1 {
				columns[k][u] = 1
			}
		}
	}
	return columns
}

// within returns a column less its mean in each block.
func (m *model) within(column []float64) []float64 {
	rest := slices.Clone(column)
	for _, block := range m.blocks {
		sum := 0.0
		for _, u := range block {
			sum += rest[u]
		}
		for _, u := range block {
			rest[u] -= sum / float64(len(block))
		}
	}
	return rest
}

// spent is the share of a column's length below which nothing is left of it but rounding.
const spent = 1e-7

// orthogonal returns a column of length 1 along what is left of it without the means of blocks and a basis, or
// false if nothing is.
func (m *model) orthogonal(column []float64, basis [][]float64) ([]float64, bool) {
	rest := m.within(column)
	whole := math.Sqrt(portable.Dot(column, column))
	for range 2 { // the second time for what rounding has left
		for _, b := range basis {
			remove(rest, b)
		}
	}
	length := math.Sqrt(portable.Dot(rest, rest))
	if length <= spent*whole {
		return nil, false
	}
	for u := range rest {
		rest[u] /= length
	}
	return rest, true
}

// remove takes what is along b, of length 1, out of x.
func remove(x, b []float64) {
	along := portable.Dot(x, b)
	for u := range x {
		x[u] -= float64(along * b[u])
	}
}

// leastP returns the smallest p-value that permutations can give: one over the number of different
// arrangements of the groups, of which as many give the same F as groups of one size can change names.
func (m *model) leastP(d Design) float64 {
	if d.Groups == nil {
		arrangements := 0.0
		for _, block := range m.blocks {
			arrangements += logFactorial(len(block))
		}
		return portable.Exp(-arrangements)
	}
	arrangements := 0.0
	same := true // all blocks and groups are alike, and all groups can change names
	first := m.sizes(m.blocks[0])
	for _, block := range m.blocks {
		sizes := m.sizes(block)
		arrangements += logFactorial(len(block))
		for _, n := range sizes {
			arrangements -= logFactorial(n)
		}
		same = same && slices.Equal(sizes, first)
	}
	alike := 1.0
	if same && d.Covariate == nil {
		for _, n := range first {
			if n != first[0] {
				same = false
			}
		}
		if same {
			alike = portable.Exp(logFactorial(len(m.levels)))
		}
	}
	return min(1, alike*portable.Exp(-arrangements))
}

// sizes counts the units of a block by their group.
func (m *model) sizes(block []int) []int {
	sizes := make([]int, len(m.levels))
	for _, u := range block {
		sizes[m.group[u]]++
	}
	return sizes
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

// question says what is compared.
func (d Design) question() string {
	if d.Groups == nil {
		return d.CovariateName
	}
	q := d.By
	if d.Covariate != nil {
		q = fmt.Sprintf("%s, adjusted for %s", q, d.CovariateName)
	}
	if d.Subjects != nil {
		q += ", within " + d.Paired
	}
	return q
}
