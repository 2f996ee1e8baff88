package cli

import "github.com/spf13/cobra"

// serveCommands are the commands that need a machine: a browser has none.
func serveCommands(console) []*cobra.Command { return nil }
