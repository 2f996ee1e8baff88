package arguments

import (
	"github.com/spf13/cobra"
)

// Cluster are none: a browser reaches no other machines.
type Cluster struct{}

func (*Cluster) defineCoordinator(*cobra.Command) {}

func (*Cluster) Asked() bool { return false }

func (*Cluster) Check() error { return nil }
