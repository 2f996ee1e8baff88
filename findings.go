package nervure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
)

// Findings says what was chosen and found besides the verdict, as sentences
// without capitals and full stops: the method, its parameters, what it has to say itself,
// confidence.
func (a *Analysis) Findings() []string {
	list := []string{a.chosenMethod(), a.chosenParams()}
	if reporter, ok := a.Result.Own.(method.Reporter); ok {
		list = append(list, reporter.Findings(a.Result)...)
	}
	list = append(list, a.confidence())
	return slices.DeleteFunc(list, func(sentence string) bool { return sentence == "" })
}

// chosenMethod says which method [AutoMethod] took.
func (a *Analysis) chosenMethod() string {
	if a.Choice == nil {
		return ""
	}
	return a.Choice.String()
}

// chosenParams says with which parameters another method was run.
func (a *Analysis) chosenParams() string {
	if a.explanation() != nil {
		return "" // it reports its model itself
	}
	var list []string
	for _, v := range method.Values(a.Result.Method) {
		list = append(list, fmt.Sprintf("%s %.4g", v.Name, v.Value))
	}
	if len(list) == 0 {
		return ""
	}
	return "parameters: " + strings.Join(list, ", ")
}

// confidence says how many edges have a high confidence.
func (a *Analysis) confidence() string {
	switch {
	case a.Confidence == nil:
		return ""
	case a.Verdict.Grade == NoStructure:
		return "confidence: 0 for all edges, because the signals show no structure"
	}
	sentence := fmt.Sprintf("confidence: %d of %s at %g or higher", a.Confidence.AtLeast(SureLevel), words.Plural(a.Graph.EdgeCount(), "edge"), SureLevel)
	if c := a.doubt; c != nil {
		sentence += fmt.Sprintf("; capped at the Gaussian model's confidence: the sparse model's held-out gain (%.3g ± %.2g nats per signal) is not clearly more than twice that of edges (%.3g)",
			c.Codes.Mean, c.Codes.StdErr, max(c.Edges.Mean, 0))
	}
	return sentence
}
