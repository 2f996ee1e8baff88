package learn

// Automatic choices.

// sparsityTries bounds how often the number of atoms is chosen anew.
const sparsityTries = 4

// adopt makes ready to learn with a model.
func (r *run) adopt(data prepared, m Model) {
	r.model = m
	r.dense = newDenseEngine(data.y, m.Kernels, m.Sparsity, r.options.Threads)
	spent := 0
	if r.fitter != nil {
		spent = r.gradients
	}
	all := r.within.pairs(len(data.vertices))
	r.dense.SetPairs(all)
	r.fitter = newFitter(data, m, r.options.Threads, r.dense, all)
	r.gradients = spent
	r.answer, r.pruning = answer{}, nil
}

// withSparsity learns with the model's kernels and as many atoms a signal as the
// signals themselves ask for.
func (r *run) withSparsity(data prepared, m Model) {
	tried := map[int]bool{}
	for range sparsityTries {
		tried[m.Sparsity] = true
		r.adopt(data, m)
		r.byDefault()
		if !r.going() || r.answer.graph == nil {
			return
		}
		if r.answer.certified {
			r.model.Sparsity = r.enoughAtoms(r.answer.codes)
			return
		}
		atoms, _ := r.shortest(r.answer.graph)
		if tried[atoms] || r.err != nil {
			return
		}
		m.Sparsity = atoms
	}
}
