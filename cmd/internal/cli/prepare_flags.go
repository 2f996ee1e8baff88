package cli

import (
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/prepare"
)

// prepareFlags are the flags that say what is done to signals before learning.
type prepareFlags struct {
	log                       bool
	logOffset                 *number
	season                    seasonFlag
	detrend, difference       *choice
	center, scale, commonMode *choice
	badSensors                *choice
}

// What --common-mode takes; removing is what other flags call yes.
const (
	commonModeAuto   = string(prepare.Auto)
	commonModeRemove = "remove"
	commonModeKeep   = "keep"
)

// aboutPreparation is the part of a help that says what these flags are for.
const aboutPreparation = `Preprocessing is applied only where the data call for it: cycles, such as days
of hourly values, and trends are removed if they are clear, means that differ
significantly from zero are removed, measurements are scaled to unit variance
per vertex, and, for low-pass kernels, a mode common to all of 30 or more
vertices is removed. Signals that fit the model are left unchanged. The output
reports what was done, and all results refer to the preprocessed signals.

Broken sensors are looked for where there are 8 or more vertices and 60 or more
observations: values that are stuck, codes for missing values, spikes, noise,
jumps of the unit or level, drifts, slipped clocks and copies of other sensors.
What seems to be at fault is listed and becomes missing (--bad-sensors), and so
does a signal that is more than a thousand times as large as the median signal.`

func (f *prepareFlags) define(s *pflag.FlagSet) {
	f.logOffset = notNegative()
	f.center = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.scale = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.commonMode = newChoice(commonModeAuto, commonModeAuto, commonModeRemove, commonModeKeep)
	s.BoolVar(&f.log, "log", false, "take the natural logarithm of all values")
	s.Var(f.logOffset, "log-offset", "add X to all values, then take logarithms")
	f.detrend = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.difference = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	f.badSensors = newChoice(prepare.MaskFaults, prepare.FaultRules()...)
	s.Var(f.badSensors, "bad-sensors", "what becomes of values that seem to be no measurements: report lists them, mask makes them missing, drop makes all values of the sensor missing")
	s.Var(&f.season, "season", "remove cycles of N observations, such as 24, or 24,168 for two; auto: those that are clear; no: none")
	s.Var(f.detrend, "detrend", "remove a smooth trend of each vertex: auto, yes or no (auto: if it is clear and the observations follow one another in time)")
	s.Lookup("detrend").NoOptDefVal = string(prepare.Yes)
	s.Var(f.difference, "difference", "take differences between consecutive observations: auto, yes or no (auto: learn tries both on autocorrelated signals and keeps what predicts hidden vertices better; otherwise values are kept)")
	s.Lookup("difference").NoOptDefVal = string(prepare.Yes)
	s.Var(f.center, "center", "remove the mean of each vertex: auto, yes or no")
	s.Var(f.scale, "scale", "divide each vertex by its standard deviation: auto, yes or no")
	s.Var(f.commonMode, "common-mode", "remove from each signal its mean over the vertices: auto, remove or keep (auto: learn removes it for low-pass kernels, otherwise it is kept)")
}

// options returns what the flags ask for.
func (f *prepareFlags) options() prepare.Options {
	mode := map[string]prepare.Choice{commonModeAuto: prepare.Auto, commonModeRemove: prepare.Yes, commonModeKeep: prepare.No}
	return prepare.Options{
		Log: f.log || f.logOffset.given, LogOffset: f.logOffset.value,
		Season: f.season.choice(), Periods: f.season.periods, Detrend: prepare.Choice(f.detrend.value), Difference: prepare.Choice(f.difference.value),
		Center: prepare.Choice(f.center.value), Scale: prepare.Choice(f.scale.value), CommonMode: mode[f.commonMode.value],
	}
}

// sensorRule returns what is to become of values that are no measurements.
func (f *prepareFlags) sensorRule() prepare.FaultRule { return prepare.FaultRule(f.badSensors.value) }
