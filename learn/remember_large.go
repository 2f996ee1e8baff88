package learn

import "github.com/nervure/nervure/internal/checkpoint"

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
