package learn

import (
	"context"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// How a run goes on after its process has died; see package checkpoint. Pieces are
// searches, polishes, the pruning path, trials of kernels and the answer; their loops
// are kept round by round. Here is what of it is written down. Where an engine stands
// is not: every piece, and every round, places it anew before it reads from it.

// remembered returns what work comes to, or came to before. code is about its value
// and all that it changes but the progress.
func remembered[T any](p *progress, name string, code func(*checkpoint.Coder, *T), work func() (T, error)) (T, error) {
	outer, first := p.ctx, len(p.history)
	defer func() { p.ctx = outer }()
	return checkpoint.Piece(outer, name, func(c *checkpoint.Coder, v *T) {
		p.code(c, first)
		code(c, v)
	}, func(ctx context.Context) (T, error) {
		p.ctx = ctx
		return work()
	})
}

// A rememberedLoop keeps the state of the loop that a piece consists of.
type rememberedLoop struct {
	p    *progress
	code func(*checkpoint.Coder)
}

// rememberLoop returns the loop, whose state code is about, and whether it goes on from
// a state that was kept.
func rememberLoop(p *progress, code func(*checkpoint.Coder)) (rememberedLoop, bool, error) {
	first := len(p.history)
	l := rememberedLoop{p, func(c *checkpoint.Coder) {
		p.code(c, first)
		code(c)
	}}
	restored, err := checkpoint.Restore(p.ctx, l.code)
	return l, restored, err
}

// save keeps the state at the head of a round, if it is time to.
func (l rememberedLoop) save() { checkpoint.Save(l.p.ctx, l.code) }

// code codes how far a run has come since the first step.
func (p *progress) code(c *checkpoint.Coder, first int) {
	c.Int(&p.start)
	c.Int(&p.round)
	c.Int(&p.gradients)
	since := p.history[first:]
	checkpoint.Slice(c, &since, func(c *checkpoint.Coder, s *Step) {
		checkpoint.Text(c, &s.Phase)
		for _, v := range []*int{&s.Start, &s.Round, &s.Edges, &s.Gradients} {
			c.Int(v)
		}
		c.Float(&s.Residual)
		c.Float(&s.Objective)
	})
	if c.Reading() {
		p.history = append(p.history[:first:first], since...)
	}
}

// A rememberedStall is a stop rule that remembers what it was told.
type rememberedStall struct {
	solver.Stall
	told []float64
}

// Done is that of [solver.Stall].
func (s *rememberedStall) Done(value float64) bool {
	s.told = append(s.told, value)
	return s.Stall.Done(value)
}

func (s *rememberedStall) code(c *checkpoint.Coder) {
	if c.Floats(&s.told); c.Reading() {
		rule := solver.Stall{Tolerance: s.Tolerance, Patience: s.Patience}
		for _, v := range s.told {
			rule.Done(v)
		}
		s.Stall = rule
	}
}

func codeKernels(c *checkpoint.Coder, kernels *[]kernel.Kernel) {
	checkpoint.Slice(c, kernels, func(c *checkpoint.Coder, k *kernel.Kernel) { c.Binary(k) })
}

func codeModel(c *checkpoint.Coder, m *Model) {
	codeKernels(c, &m.Kernels)
	c.Int(&m.Sparsity)
	c.Float(&m.NoiseFloor)
}

func codeResiduals(c *checkpoint.Coder, r *residualEnergies) { c.Floats((*[]float64)(r)) }

// codeCodes codes sparse codes, which may be nil.
func codeCodes(c *checkpoint.Coder, x **sparse.Code) {
	there := *x != nil
	if c.Bool(&there); !there {
		*x = nil
		return
	}
	var shape [3]int
	var counts, atoms []int32
	var coefs []float64
	if !c.Reading() {
		shape[0], shape[1] = (*x).Dims()
		shape[2] = (*x).Sparsity()
		for m := range shape[1] {
			atom, coef := (*x).Column(m)
			counts, atoms, coefs = append(counts, int32(len(atom))), append(atoms, atom...), append(coefs, coef...)
		}
	}
	for k := range shape {
		c.Int(&shape[k])
	}
	c.Int32s(&counts)
	c.Int32s(&atoms)
	c.Floats(&coefs)
	if !c.Reading() {
		return
	}
	*x = sparse.NewCode(shape[0], len(counts), shape[2])
	for m, n := range counts {
		(*x).SetColumn(m, atoms[:n], coefs[:n])
		atoms, coefs = atoms[n:], coefs[n:]
	}
}

func codePairs(c *checkpoint.Coder, p *dictionary.Pairs) {
	c.Int(&p.N)
	c.Int32s(&p.I)
	c.Int32s(&p.J)
}

func codePath(c *checkpoint.Coder, path *[]PathPoint) {
	checkpoint.Slice(c, path, func(c *checkpoint.Coder, p *PathPoint) {
		c.Int(&p.Edges)
		c.Float(&p.CodeError)
		c.Float(&p.Prediction)
		c.Graph(&p.Graph)
	})
}

func codeScore(c *checkpoint.Coder, s *KernelScore) {
	checkpoint.Slice(c, &s.Kernels, (*checkpoint.Coder).String)
	c.Int(&s.Sparsity)
	c.Bool(&s.CommonModeRemoved)
	c.Float(&s.Prediction)
	codeModel(c, &s.model)
}

func codeThreshold(c *checkpoint.Coder, t *Threshold) {
	checkpoint.Text(c, &t.Rule)
	c.Float(&t.Value)
	c.Float(&t.Gap)
}

// codeAnswer codes an answer, which may be nil.
func codeAnswer(c *checkpoint.Coder, found **answer) {
	there := *found != nil
	if c.Bool(&there); !there {
		*found = nil
		return
	}
	if c.Reading() {
		*found = &answer{}
	}
	a := *found
	codeModel(c, &a.model)
	c.Graph(&a.weights)
	c.Graph(&a.graph)
	codeCodes(c, &a.codes)
	c.Graph(&a.codedOn)
	codeResiduals(c, &a.residuals)
	c.Float(&a.residual)
	c.Float(&a.objective)
	codeThreshold(c, &a.threshold)
	checkpoint.Text(c, &a.status)
	for _, v := range []*int{&a.rounds, &a.unexplained, &a.entries} {
		c.Int(v)
	}
	for _, v := range []*bool{&a.certified, &a.proved, &a.large, &a.commonModeRemoved} {
		c.Bool(v)
	}
	codePath(c, &a.path)
	checkpoint.Slice(c, &a.scores, codeScore)
}

func codeOutcome(c *checkpoint.Coder, o *outcome) {
	codeAnswer(c, &o.proved)
	checkpoint.Text(c, &o.status)
	b := &o.best
	c.Graph(&b.weights)
	codeCodes(c, &b.code)
	codeKernels(c, &b.kernels)
	c.Float(&b.residual)
	c.Float(&b.score)
	c.Bool(&b.polished)
	c.Int(&b.rounds)
}

// code codes the codes and kernels that an attempt has come to.
func (a *attempt) code(c *checkpoint.Coder) {
	codeCodes(c, &a.fit.code)
	if a.kernels != nil {
		a.kernels.code(c)
	}
}

// codeOutcome codes an outcome with what else a search changes.
func (a *attempt) codeOutcome(c *checkpoint.Coder, o *outcome) {
	codeOutcome(c, o)
	a.code(c)
}

// codeAnswer codes an answer with what else finding it changes.
func (a *attempt) codeAnswer(c *checkpoint.Coder, found **answer) {
	codeAnswer(c, found)
	a.code(c)
}

// codePolished codes what polishing comes to, with what else it changes.
func (a *attempt) codePolished(c *checkpoint.Coder, p *polished) {
	c.Graph(&p.graph)
	codeResiduals(c, &p.residuals)
	c.Bool(&p.exact)
	a.code(c)
}

// code codes the kernels, and how far they may move.
func (u *kernelMover[E]) code(c *checkpoint.Coder) {
	kernels := u.fit.engine.Kernels()
	if codeKernels(c, &kernels); c.Reading() {
		u.fit.engine.SetKernels(kernels)
	}
	c.Float(&u.damping)
}

// code codes the curvature pairs.
func (q *quasiNewton) code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &q.s, (*checkpoint.Coder).Floats)
	checkpoint.Slice(c, &q.y, (*checkpoint.Coder).Floats)
}

// code codes the codes that a large search has come to, the values that stand for
// missing ones, and the kernels if they move.
func (l largeSearch) code(c *checkpoint.Coder) {
	codeCodes(c, &l.fit.code)
	if l.fit.missing != nil {
		values := l.fit.engine.Imputed(l.fit.missing)
		if c.Floats(&values); c.Reading() {
			l.fit.engine.SetImputed(l.fit.missing, values)
		}
	}
	if l.scales != nil {
		l.scales.code(c)
	}
}

// codePoint codes where a large search has come to, with what else it changes.
func (l largeSearch) codePoint(c *checkpoint.Coder, p *searchPoint) {
	c.Graph(&p.weights)
	codeResiduals(c, &p.residuals)
	checkpoint.Text(c, &p.status)
	l.code(c)
}

func codeNeighbours(c *checkpoint.Coder, lists *[][]neighbour) {
	checkpoint.Slice(c, lists, func(c *checkpoint.Coder, list *[]neighbour) {
		var vertices []int32
		var scores []float64
		for _, n := range *list {
			vertices, scores = append(vertices, n.vertex), append(scores, n.score)
		}
		c.Int32s(&vertices)
		c.Floats(&scores)
		if c.Reading() {
			*list = nil
			for k, v := range vertices {
				*list = append(*list, neighbour{v, scores[k]})
			}
		}
	})
}
