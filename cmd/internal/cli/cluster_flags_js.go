package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/internal/task"
)

// clusterFlags are none: a browser reaches no other machines.
type clusterFlags struct{}

func (*clusterFlags) defineCoordinator(*cobra.Command) {}

func (*clusterFlags) asked() bool  { return false }
func (*clusterFlags) check() error { return nil }

// clusterFlagNames are none.
var clusterFlagNames []string

// runner returns nil, which is this process.
func (*clusterFlags) runner(context.Context, console, string) (task.Runner, func(), error) {
	return nil, func() {}, nil
}

// workerCommands are the commands that join other machines: a browser cannot.
func workerCommands(console) []*cobra.Command { return nil }
