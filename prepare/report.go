package prepare

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
)

// A Report says which steps were applied and why.
type Report struct {
	Log, Season, Detrend, Difference, Center, Scale, CommonMode Step

	Course Course // the trends and cycles that were removed

	Missing  int // entries of the prepared signals that are NaN
	Warnings []Warning

	// Transform repeats what was done on new signals of the same vertices.
	Transform Transform
}

// A Step says whether a step was applied, and why.
type Step struct {
	Done     bool
	Energy   float64 // the share of the energy that it removed; 0 for steps that remove none
	Kept     float64 // the share of the energy that it would have removed; 0 unless the signals call for it and the options keep it
	Sentence string  // what was done, or not, and why

	summary string // what was done, in few words; finish adds the energy
}

// Steps lists all steps in their order.
func (r *Report) Steps() []Step {
	return []Step{r.Log, r.Season, r.Detrend, r.Difference, r.Center, r.Scale, r.CommonMode}
}

// Sentence says in one line what was done, such as "means removed (95% of the
// energy), each vertex scaled to one"; "" if nothing was.
func (r *Report) Sentence() string {
	var done []string
	for _, s := range r.Steps() {
		if s.Done {
			done = append(done, s.summary)
		}
	}
	return strings.Join(done, ", ")
}

// finish fills in what is known only after all steps.
func (r *Report) finish(z *mat.Dense) {
	r.Missing = signals.Missing(z)
	for _, s := range []*Step{&r.Center, &r.CommonMode} {
		if s.Done {
			s.summary += fmt.Sprintf(" (%s of the energy)", percent(s.Energy))
		}
	}
	if !r.Log.Done {
		r.Log.Sentence = "logarithms not taken: not requested"
	}
	if r.Difference.Sentence == "" {
		r.Difference.Sentence = "differences not taken: not requested"
	}
}

func logStep(o Options) Step {
	words := "logarithms taken"
	if o.LogOffset != 0 {
		words = fmt.Sprintf("logarithms taken of x + %g", o.LogOffset)
	}
	return Step{Done: true, summary: words, Sentence: words + ", as requested"}
}

func differenceStep(before, after *mat.Dense) Step {
	_, m := before.Dims()
	_, left := after.Dims()
	return Step{
		Done: true, summary: "differences taken",
		Sentence: fmt.Sprintf("%d differences between %d observations taken, as requested", left, m),
	}
}

// percent writes a share in whole percents, but never all for nearly all.
func percent(share float64) string {
	p := math.Round(100 * share)
	switch {
	case p == 100 && share < 1:
		return "over 99%"
	case p == 0 && share > 0:
		return "under 1%"
	}
	return fmt.Sprintf("%.0f%%", p)
}
