package recordings

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/sensors"
)

// faultsOf returns what an analysis found wrong with sensors.
func faultsOf(a *nervure.Analysis) []sensors.Fault { return a.Preparation.Faults }
