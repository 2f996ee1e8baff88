package large

import (
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/learn/internal/fitting"
)

// code codes the codes that a large search has come to, the values that stand for
// missing ones, and the kernels if they move.
func (l search) code(c *checkpoint.Coder) {
	fitting.CodeCodes(c, &l.fit.Code)
	if l.fit.Missing != nil {
		values := l.fit.Engine.Imputed(l.fit.Missing)
		if c.Floats(&values); c.Reading() {
			l.fit.Engine.SetImputed(l.fit.Missing, values)
		}
	}
	if l.scales != nil {
		l.scales.Code(c)
	}
}

// codePoint codes where a large search has come to, with what else it changes.
func (l search) codePoint(c *checkpoint.Coder, p *searchPoint) {
	c.Graph(&p.weights)
	fitting.CodeResiduals(c, &p.residuals)
	checkpoint.Text(c, &p.status)
	l.code(c)
}
