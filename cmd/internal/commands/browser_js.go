package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/task"
)

// serveCommands are the commands that need a machine: a browser has none.
func serveCommands(views.Console) []*cobra.Command { return nil }

// workerCommands are the commands that join other machines: a browser cannot.
func workerCommands(views.Console) []*cobra.Command { return nil }

// taskRunner returns nil, which is this process.
func taskRunner(context.Context, views.Console, *arguments.Cluster, string, string) (task.Runner, func(), error) {
	return nil, func() {}, nil
}

// withoutWaiting is nothing in a browser, which has no pipes.
const withoutWaiting = 0
