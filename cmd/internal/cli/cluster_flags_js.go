package cli

import "github.com/spf13/cobra"

// clusterFlags are none: a browser reaches no other machines.
type clusterFlags struct{}

func (*clusterFlags) defineCoordinator(*cobra.Command) {}

func (*clusterFlags) asked() bool  { return false }
func (*clusterFlags) check() error { return nil }
