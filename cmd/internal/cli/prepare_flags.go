package cli

import (
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/prepare"
)

// prepareFlags are the flags that say what is done to signals before learning.
type prepareFlags struct {
	log                       bool
	logOffset                 *number
	difference                bool
	center, scale, commonMode *choice
}

// What --common-mode takes; removing is what other flags call yes.
const (
	commonModeAuto   = string(prepare.Auto)
	commonModeRemove = "remove"
	commonModeKeep   = "keep"
)

// aboutPreparation is the part of a help that says what these flags are for.
const aboutPreparation = `Preprocessing is applied only where the data call for it: means that differ
significantly from zero are removed, measurements are scaled to unit variance
per vertex, and, for low-pass kernels, a mode common to all of 30 or more
vertices is removed. Signals that fit the model are left unchanged. The output
reports what was done, and all results refer to the preprocessed signals.`

func (f *prepareFlags) define(s *pflag.FlagSet) {
	f.logOffset = notNegative()
	f.center = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.scale = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.commonMode = newChoice(commonModeAuto, commonModeAuto, commonModeRemove, commonModeKeep)
	s.BoolVar(&f.log, "log", false, "take the natural logarithm of all values")
	s.Var(f.logOffset, "log-offset", "add X to all values, then take logarithms")
	s.BoolVar(&f.difference, "difference", false, "take differences between consecutive observations")
	s.Var(f.center, "center", "remove the mean of each vertex: auto, yes or no")
	s.Var(f.scale, "scale", "divide each vertex by its standard deviation: auto, yes or no")
	s.Var(f.commonMode, "common-mode", "remove from each signal its mean over the vertices: auto, remove or keep (auto: learn removes it for low-pass kernels, otherwise it is kept)")
}

// options returns what the flags ask for.
func (f *prepareFlags) options() prepare.Options {
	mode := map[string]prepare.Choice{commonModeAuto: prepare.Auto, commonModeRemove: prepare.Yes, commonModeKeep: prepare.No}
	return prepare.Options{
		Log: f.log || f.logOffset.given, LogOffset: f.logOffset.value, Difference: f.difference,
		Center: prepare.Choice(f.center.value), Scale: prepare.Choice(f.scale.value), CommonMode: mode[f.commonMode.value],
	}
}
