package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/internal/repository"
)

func measureCommand(root string) *cobra.Command {
	measure := &cobra.Command{
		Use:   "measure",
		Short: "Repeat the measurements behind the pages, into docs/results",
		Args:  cobra.NoArgs,
		RunE:  showHelp,
	}
	for _, run := range benchmark.Runs {
		measure.AddCommand(&cobra.Command{
			Use:   run.Name,
			Short: "Measure " + run.About,
			Args:  cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return run.Measure(cmd.Context(), root, cmd.OutOrStdout())
			},
		})
	}
	measure.AddCommand(realDataCommand(root), walkCommand(root), messyCommand(root), reliabilityCommand(root))
	return measure
}

func realDataCommand(root string) *cobra.Command {
	var m realdata.Measurement
	measure := &cobra.Command{
		Use:   "realdata --data DIR",
		Short: "Run the tool on sets of real data: about twenty minutes",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withTool(cmd, root, func(bin string) error {
				m.Tool, m.Log = filepath.Join(bin, "nervure"), cmd.OutOrStdout()
				return m.Measure(cmd.Context(), filepath.Join(root, realdata.Results))
			})
		},
	}
	measure.Flags().StringVar(&m.Data, "data", "", "directory of the sets, one in each")
	measure.Flags().StringSliceVar(&m.Sets, "sets", nil, "names of sets with commas between them; all if not given")
	measure.Flags().DurationVar(&m.Limit, "time-limit", 20*time.Minute, "interrupt a command after so long; what it has by then counts")
	_ = measure.MarkFlagRequired("data")
	return measure
}

func walkCommand(root string) *cobra.Command {
	return &cobra.Command{
		Use:   "walk",
		Short: "Run the commands of docs/real-data.md: a minute",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withTool(cmd, root, func(bin string) error {
				dir, err := os.MkdirTemp("", "nervure-walk-")
				if err != nil {
					return err
				}
				defer func() { _ = os.RemoveAll(dir) }()
				if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
					return err
				}
				text, err := realdata.RunWalk(cmd.Context(), terminal.Terminal{Dir: dir, Bin: bin})
				if err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(root, realdata.WalkResults), text, 0o644)
			})
		},
	}
}

// withTool builds the tool in a directory that is there as long as do runs.
func withTool(cmd *cobra.Command, root string, do func(bin string) error) error {
	bin, err := os.MkdirTemp("", "nervure-bin-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(bin) }()
	if _, err := repository.Build(cmd.Context(), root, bin); err != nil {
		return err
	}
	return do(bin)
}
