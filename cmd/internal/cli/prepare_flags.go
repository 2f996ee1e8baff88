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
const aboutPreparation = `Signals are prepared as far as they show that they need it: means are removed
that are not chance, vertices scaled to one if they are measurements, a mode
removed that moves all of 30 vertices or more. Signals that fit the model are
left alone. What was done is said, and all results refer to prepared signals.`

func (f *prepareFlags) define(s *pflag.FlagSet) {
	f.logOffset = notNegative()
	f.center = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.scale = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.commonMode = newChoice(commonModeAuto, commonModeAuto, commonModeRemove, commonModeKeep)
	s.BoolVar(&f.log, "log", false, "take natural logarithms of the values")
	s.Var(f.logOffset, "log-offset", "take logarithms of the values plus X")
	s.BoolVar(&f.difference, "difference", false, "take the changes from each observation to the next")
	s.Var(f.center, "center", "remove the mean of each vertex: auto, yes or no")
	s.Var(f.scale, "scale", "divide each vertex by its standard deviation: auto, yes or no")
	s.Var(f.commonMode, "common-mode", "remove from each signal its mean over the vertices: auto, remove or keep (auto leaves it to sparse, which takes it out where its kernels ask for it, and else keeps it)")
}

// options returns what the flags ask for.
func (f *prepareFlags) options() prepare.Options {
	mode := map[string]prepare.Choice{commonModeAuto: prepare.Auto, commonModeRemove: prepare.Yes, commonModeKeep: prepare.No}
	return prepare.Options{
		Log: f.log || f.logOffset.given, LogOffset: f.logOffset.value, Difference: f.difference,
		Center: prepare.Choice(f.center.value), Scale: prepare.Choice(f.scale.value), CommonMode: mode[f.commonMode.value],
	}
}
