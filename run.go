package nervure

import (
	"cmp"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/prepare"
)

// OptionsOf returns what a document asks [Learn] for. The graphs that it names as known are
// files, and are left for the caller to read; so are the signals: see
// [document.RunRead.Options]. A document that makes no sense is an *input.Error whose
// sentence has the keys of the document in backquotes.
func OptionsOf(r *document.Run) (Options, error) {
	if err := r.Validate(); err != nil {
		return Options{}, err
	}
	limit, _, err := r.Limit()
	if err != nil {
		return Options{}, err
	}
	o := Options{
		Prepare: askedPreparation(r.Prepare), BadSensors: prepare.FaultRule(r.Prepare.BadSensors), Cut: r.Cut.Cut(), Seed: r.Seed, TimeLimit: limit,
		Sample: r.Sample, AllSignals: r.AllSignals || r.Write.Codes != "", // codes are of every signal
		Structure: Choice(r.Check.Structure), Confidence: Choice(r.Check.Confidence), Block: r.Check.Block,
	}
	o.Method, o.Kernels, err = askedMethod(r)
	return o, err
}

// CompareOptionsOf returns what a document asks [Compare] for, without the true graph. See
// [OptionsOf].
func CompareOptionsOf(r *document.Run) (CompareOptions, error) {
	if err := r.Validate(); err != nil {
		return CompareOptions{}, err
	}
	limit, none, err := r.Limit()
	if err != nil {
		return CompareOptions{}, err
	}
	o := CompareOptions{
		Prepare: askedPreparation(r.Prepare), BadSensors: prepare.FaultRule(r.Prepare.BadSensors), Cut: r.Cut.Cut(), Seed: r.Seed,
		TimeLimit: limit, NoTimeLimit: none, Folds: r.Compare.Folds, Unranked: r.Compare.Unranked,
	}
	o.Methods, o.Kernels, err = askedMethods(r)
	return o, err
}

// The common mode is removed or kept; other choices are yes or no.
var commonModeWords = map[prepare.Choice]string{prepare.Auto: string(prepare.Auto), prepare.Yes: "remove", prepare.No: "keep"}

func askedPreparation(p document.RunPrepare) prepare.Options {
	o := prepare.Options{
		Log: p.Log || p.LogOffset != 0, LogOffset: p.LogOffset, Season: Choice(p.Season), Periods: p.Periods, Detrend: Choice(p.Detrend),
		Difference: Choice(p.Difference), Center: Choice(p.Center), Scale: Choice(p.Scale),
	}
	for choice, word := range commonModeWords {
		if word == p.CommonMode {
			o.CommonMode = choice
		}
	}
	if len(o.Periods) > 0 {
		o.Season = cmp.Or(o.Season, Yes)
	}
	return o
}

// faultf returns an error about a document, with keys in backquotes.
func faultf(format string, args ...any) error {
	return input.Completef("nervure", "run", format, args...)
}
