package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
)

func measureCommand(root string) *cobra.Command {
	o := measure.Options{Root: root}
	var list strings.Builder
	for _, m := range measure.All {
		fmt.Fprintf(&list, "  %-12s %s\n", m.Name, m.About)
	}
	cmd := &cobra.Command{
		Use:   "measure NAME...",
		Short: "Repeat the measurements behind the pages, into docs/results",
		Long: `Repeat measurements behind the pages. What has a record in docs/results is left out, unless --again
asks for it; a measurement that was stopped goes on where it was.

` + list.String() + `
--only measures a part, by words that all have to hold: those of a record's stage and cell, such as
"fields size=100 grid seed=2901". Given twice, it measures both parts. Of sizes, fields of 99856 vertices
(size=99856) and other programs (rivals) are measured only if a word asks for them.

Nothing is tuned on the seeds of committed results. --seed begins at another, and keeps the records in the
directory --out.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				return errors.New("measure what? docs measure --help lists all")
			}
			o.Log = cmd.OutOrStdout()
			for _, name := range names {
				k := slices.IndexFunc(measure.All, func(m measure.Measurement) bool { return m.Name == name })
				if k < 0 {
					return fmt.Errorf("there is no measurement %q", name)
				}
				if err := measure.All[k].Run(cmd.Context(), o); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Only, "only", nil, `words of what to measure`)
	flags.BoolVar(&o.Again, "again", false, "measure what there is a record of, too")
	flags.Uint64Var(&o.Seed, "seed", 0, "first seed, in place of that of the committed results")
	flags.StringVar(&o.Out, "out", "", "directory for the records of other seeds")
	flags.StringVar(&o.Data, "data", "", "directory of sets of real data, one in each; of groups, of the studies that python/benchmarks/groups.py draws")
	flags.StringVar(&o.Networks, "networks", "", "directory of the sets that python/benchmarks/networks.py draws")
	flags.StringVar(&o.Python, "python", "", "Python with scikit-learn, for sizes")
	flags.StringVar(&o.R, "r", "", "Rscript with QUIC and BigQuic, for sizes")
	return cmd
}
