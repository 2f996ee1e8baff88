package sparse

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// dependent is the squared distance of a unit atom from the span of those
// already chosen below which it counts as lying in it.
const dependent = 1e-9

// A beam grows supports one atom at a time and keeps the best width of them.
// Width 1 is OLS, or OMP when atoms are ranked by correlation alone.
//
// It works in the orthonormal basis u_1, u_2, … that Gram–Schmidt makes of the
// chosen atoms. Adding atom k needs one vector over all atoms,
//
//	v_j = ⟨u, d_j⟩ = (G_kj − Σ_q ⟨u_q, d_k⟩⟨u_q, d_j⟩) / √perp_k,
//
// and then ⟨r, d_j⟩ −= z·v_j and perp_j −= v_j², where perp_j is the squared
// distance of atom j from the span and z = ⟨r, d_k⟩/√perp_k. The entries of the
// v at the chosen atoms are the Cholesky factor of their Gram matrix.
type beam struct {
	Options
	width  int
	byCorr bool // rank as OMP does

	now, next []node
	basis     [][][]float64 // [level][slot]: the vector v that the node in that slot added
	found     []candidate
	atom      []int32
	coef      []float64

	bargain node // the support of least price so far, its inner products left out
	price   float64
}

// A node is a partial support.
type node struct {
	corr     []float64 // ⟨r, d_j⟩
	perp     []float64 // squared distance of d_j from the span; unused when byCorr
	atom     []int32   // the support, in the order of choice
	slot     []int32   // whose basis vector each level uses
	coord    []float64 // z: coordinates of the signal in the orthonormal basis
	length   []float64 // √perp of each atom when it was chosen
	residual float64   // ‖r‖²
	key      uint64    // identifies the support whatever its order
}

type candidate struct {
	parent   int
	atom     int32
	residual float64
	key      uint64
}

func newOMP(atoms int, o Options) searcher      { return newBeam(atoms, 1, true, o) }
func newOLS(atoms int, o Options) searcher      { return newBeam(atoms, 1, false, o) }
func newWideBeam(atoms int, o Options) searcher { return newBeam(atoms, o.Width, false, o) }

func newBeam(atoms, width int, byCorr bool, o Options) *beam {
	sparsity := o.Sparsity
	b := &beam{
		Options: o, width: width, byCorr: byCorr,
		now: make([]node, width), next: make([]node, width),
		basis: make([][][]float64, sparsity),
		found: make([]candidate, 0, width+1),
		atom:  make([]int32, sparsity), coef: make([]float64, sparsity),
	}
	for _, set := range [][]node{b.now, b.next} {
		for i := range set {
			set[i] = node{
				corr: make([]float64, atoms),
				atom: make([]int32, sparsity), slot: make([]int32, sparsity),
				coord: make([]float64, sparsity), length: make([]float64, sparsity),
			}
			if !byCorr {
				set[i].perp = make([]float64, atoms)
			}
		}
	}
	for level := range b.basis {
		b.basis[level] = make([][]float64, width)
		for s := range b.basis[level] {
			b.basis[level][s] = make([]float64, atoms)
		}
	}
	return b
}

func (b *beam) search(p *Problem, m int) ([]int32, []float64) {
	root := &b.now[0]
	copy(root.corr, p.corr(m))
	for j := range root.perp {
		root.perp[j] = p.square(j)
	}
	root.residual, root.key = p.Energy[m], 0
	alive := 1
	enough := b.enough(p.Energy[m])

	best, depth := root, 0
	b.price = math.Log(p.Energy[m])
	b.bargain.atom = b.bargain.atom[:0]
	for level := 0; level < b.Sparsity && best.residual > enough; level++ {
		last := level == b.Sparsity-1
		keep := b.width
		if last {
			keep = 1
		}
		b.rank(alive, level, keep)
		if len(b.found) == 0 {
			break
		}
		for s, c := range b.found {
			b.extend(p, &b.next[s], c, level, int32(s), last)
		}
		alive = len(b.found)
		b.now, b.next = b.next, b.now
		best, depth = &b.now[0], level+1
		for s := 1; s < alive; s++ {
			if b.now[s].residual < best.residual {
				best = &b.now[s]
			}
		}
		b.weigh(best, depth)
	}
	if b.AtomCost > 0 {
		best, depth = &b.bargain, len(b.bargain.atom)
	}
	return b.solve(best, depth)
}

// weigh keeps a support if its residual and its atoms cost less than any before,
// or than none at all.
func (b *beam) weigh(n *node, depth int) {
	if b.AtomCost == 0 {
		return
	}
	price := math.Log(n.residual) + b.AtomCost*float64(depth)
	if price >= b.price {
		return
	}
	b.price = price
	b.bargain.atom = append(b.bargain.atom[:0], n.atom[:depth]...)
	b.bargain.slot = append(b.bargain.slot[:0], n.slot[:depth]...)
	b.bargain.coord = append(b.bargain.coord[:0], n.coord[:depth]...)
	b.bargain.length = append(b.bargain.length[:0], n.length[:depth]...)
}

// rank fills b.found with the best extensions of the nodes alive, best first,
// each support once.
func (b *beam) rank(alive, level, keep int) {
	b.found = b.found[:0]
	if b.byCorr {
		b.rankByCorrelation(level)
		return
	}
	for s := range alive {
		n := &b.now[s]
		worst := n.residual // what an extension must beat to matter
		for j, perp := range n.perp {
			if perp < dependent {
				continue
			}
			c := n.corr[j]
			if len(b.found) == keep {
				worst = b.found[keep-1].residual
			}
			// residual − c²/perp < worst, without the division
			if c*c <= (n.residual-worst)*perp {
				continue
			}
			b.insert(candidate{s, int32(j), n.residual - c*c/perp, n.key ^ atomKey(j)}, keep)
		}
	}
}

func (b *beam) rankByCorrelation(level int) {
	n := &b.now[0]
	top, at := 0.0, -1
	for j, c := range n.corr {
		if a := math.Abs(c); a > top && b.perpOf(n, level, j) >= dependent {
			top, at = a, j
		}
	}
	if at >= 0 {
		b.found = append(b.found, candidate{atom: int32(at), residual: n.residual - top*top/b.perpOf(n, level, at)})
	}
}

// perpOf returns perp_j where it is not kept up to date.
func (b *beam) perpOf(n *node, level, j int) float64 {
	perp := 1.0
	for q := range level {
		v := b.basis[q][n.slot[q]][j]
		perp -= v * v
	}
	return perp
}

// insert places c among the best, unless its support is there already.
func (b *beam) insert(c candidate, keep int) {
	for _, f := range b.found {
		if f.key == c.key {
			return
		}
	}
	if len(b.found) < keep {
		b.found = append(b.found, c)
	}
	at := len(b.found) - 1
	for at > 0 && b.found[at-1].residual > c.residual {
		b.found[at] = b.found[at-1]
		at--
	}
	b.found[at] = c
}

// extend makes child the parent's support with one atom more.
func (b *beam) extend(p *Problem, child *node, c candidate, level int, slot int32, last bool) {
	parent, k := &b.now[c.parent], int(c.atom)
	copy(child.atom[:level], parent.atom[:level])
	copy(child.slot[:level], parent.slot[:level])
	copy(child.coord[:level], parent.coord[:level])
	copy(child.length[:level], parent.length[:level])
	var perp float64
	if b.byCorr {
		perp = b.perpOf(parent, level, k)
	} else {
		perp = parent.perp[k]
	}
	length := math.Sqrt(perp)
	z := parent.corr[k] / length
	child.atom[level], child.slot[level], child.coord[level], child.length[level] = c.atom, slot, z, length
	child.residual, child.key = max(parent.residual-z*z, 0), c.key
	if last {
		return
	}
	v := b.basis[level][slot]
	copy(v, p.gram(k))
	for q := range level {
		u := b.basis[q][child.slot[q]]
		floats.AddScaled(v, -u[k], u)
	}
	floats.Scale(1/length, v)
	floats.AddScaledTo(child.corr, parent.corr, -z, v)
	child.corr[k] = 0
	for j := range child.perp {
		child.perp[j] = parent.perp[j] - v[j]*v[j]
	}
	if !b.byCorr {
		child.perp[k] = 0
	}
}

// solve turns coordinates into coefficients by back substitution.
func (b *beam) solve(n *node, depth int) ([]int32, []float64) {
	atom, coef := b.atom[:depth], b.coef[:depth]
	copy(atom, n.atom)
	for q := depth - 1; q >= 0; q-- {
		c := n.coord[q]
		if q < depth-1 {
			v := b.basis[q][n.slot[q]]
			for r := q + 1; r < depth; r++ {
				c -= v[atom[r]] * coef[r]
			}
		}
		coef[q] = c / n.length[q]
	}
	return atom, coef
}

// atomKey spreads the atom's number over 64 bits (splitmix64), so that the
// exclusive or of the keys identifies a set of atoms.
func atomKey(j int) uint64 {
	z := (uint64(j) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
