package recordings

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/prepare"
)

// faultsOf returns what an analysis found wrong with sensors.
func faultsOf(a *nervure.Analysis) []prepare.Fault { return a.Preparation.Faults }
