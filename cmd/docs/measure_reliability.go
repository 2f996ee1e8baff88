package main

import (
	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/docs/internal/reliability"
)

func reliabilityCommand(root string) *cobra.Command {
	m := reliability.Measurement{Root: root}
	measure := &cobra.Command{
		Use:   "reliability",
		Short: "Try to break the tool in every way that docs/reliability.md lists: several hours",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m.Log = cmd.OutOrStdout()
			return m.Measure(cmd.Context())
		},
	}
	measure.Flags().StringSliceVar(&m.Trials, "trials", nil, "names of trials with commas between them; all if not given")
	return measure
}
