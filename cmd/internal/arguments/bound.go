package arguments

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/prepare"
)

// Flags that stand for several keys of the document of a run.

// seasonText is how the cycles to remove are typed.
func seasonText(p *document.RunPrepare) string {
	var periods []string
	for _, v := range p.Periods {
		periods = append(periods, strconv.FormatFloat(v, 'g', -1, 64))
	}
	if periods != nil {
		return strings.Join(periods, ",")
	}
	return p.Season
}

// setSeason takes auto, no or the periods of cycles, in observations.
func setSeason(r *document.Run, text string) error {
	r.Prepare.Season, r.Prepare.Periods = yesOrNo(text), nil
	if slices.Contains([]prepare.Choice{prepare.Auto, prepare.No}, prepare.Choice(r.Prepare.Season)) {
		return nil
	}
	r.Prepare.Season = string(prepare.Yes)
	return r.SetKey("prepare.periods", text)
}

// thresholdText is how a cut by weight is typed.
func thresholdText(c document.RunCut) string {
	if c.Rule == graph.CutThreshold || c.Threshold > 0 {
		return strconv.FormatFloat(c.Threshold, 'g', -1, 64)
	}
	return strings.TrimPrefix(string(c.Rule), string(graph.CutEdges))
}

// setThreshold takes a weight, or auto.
func setThreshold(r *document.Run, text string) error {
	if text == auto {
		r.Cut.Rule, r.Cut.Threshold = graph.CutAuto, 0
		return nil
	}
	if err := r.SetKey("cut.threshold", text); err != nil {
		return errors.New(err.Error() + ", or " + auto)
	}
	r.Cut.Rule = graph.CutThreshold
	return nil
}
