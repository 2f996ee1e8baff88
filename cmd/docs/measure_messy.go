package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/docs/internal/recordings"
)

// messyFlags are the flags of measure messy as they were typed.
type messyFlags struct {
	kinds             []string
	seeds, scans, out string
}

func messyCommand(root string) *cobra.Command {
	var f messyFlags
	measure := &cobra.Command{
		Use:   "messy",
		Short: "Learn from simulated recordings as they come: about an hour",
		Long: `Learn from simulated recordings as they come. The seeds of the committed results
are 1001 to 1020: nothing is tuned on them. Results of other seeds are only shown
unless --out says where to keep them.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.measurement()
			if err != nil {
				return err
			}
			m.Log = cmd.OutOrStdout()
			if f.out == "" && !cmd.Flags().Changed("seeds") && !cmd.Flags().Changed("scans") {
				f.out = filepath.Join(root, recordings.Results)
			}
			return m.Measure(cmd.Context(), f.out)
		},
	}
	flags := measure.Flags()
	flags.StringSliceVar(&f.kinds, "kinds", kindNames(), "kinds of recordings")
	flags.StringVar(&f.seeds, "seeds", recordings.SensorSeeds, "seeds of recordings of sensors and of graphs that change: FIRST-LAST, or one")
	flags.StringVar(&f.scans, "scans", recordings.ScanSeeds, "seeds of fMRI-like recordings: FIRST-LAST, or one")
	flags.StringVar(&f.out, "out", "", "file to keep the results in (default "+recordings.Results+" for the seeds it has)")
	return measure
}

func kindNames() (names []string) {
	for _, k := range recordings.Kinds() {
		names = append(names, string(k))
	}
	return names
}

// measurement returns what the flags ask for. It leaves a processor free.
func (f *messyFlags) measurement() (recordings.Measurement, error) {
	m := recordings.Measurement{Threads: max(1, runtime.NumCPU()-1)}
	var wrong [2]error
	m.Seeds, wrong[0] = recordings.ParseSeeds(f.seeds)
	m.Scans, wrong[1] = recordings.ParseSeeds(f.scans)
	for _, k := range f.kinds {
		if !slices.Contains(recordings.Kinds(), recordings.Kind(k)) {
			return m, fmt.Errorf("there are no recordings of kind %q, want some of %v", k, recordings.Kinds())
		}
		m.Kinds = append(m.Kinds, recordings.Kind(k))
	}
	return m, errors.Join(wrong[:]...)
}
