package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/cohorts"
	"github.com/nervure/nervure/cmd/docs/internal/fields"
	"github.com/nervure/nervure/cmd/docs/internal/forecast"
	"github.com/nervure/nervure/cmd/docs/internal/plans"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/docs/internal/recordings"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/cmd/docs/internal/reliability"
	"github.com/nervure/nervure/cmd/docs/internal/sizes"
	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/internal/repository"
)

func measureCommand(root string) *cobra.Command {
	measure := leaf("measure", "Repeat the measurements behind the pages, into docs/results", (*cobra.Command).Help)
	for _, run := range benchmark.Runs {
		measure.AddCommand(leaf(run.Name, "Measure "+run.About, func(cmd *cobra.Command) error {
			return run.Measure(cmd.Context(), root, cmd.OutOrStdout())
		}))
	}
	measure.AddCommand(realDataCommand(root), walkCommand(root), messyCommand(root), reliabilityCommand(root), fieldsCommand(root), sizesCommand(root), groupsCommand(root), plansCommand(root), forecastCommand(root))
	return measure
}

func realDataCommand(root string) *cobra.Command {
	var m realdata.Measurement
	measure := leaf("realdata --data DIR", "Run the tool on sets of real data: about twenty minutes", func(cmd *cobra.Command) error {
		return repository.WithTool(cmd.Context(), root, func(bin string) error {
			m.Tool, m.Log = filepath.Join(bin, "nervure"), cmd.OutOrStdout()
			return m.Measure(cmd.Context(), filepath.Join(root, realdata.Results))
		})
	})
	measure.Flags().StringVar(&m.Data, "data", "", "directory of the sets, one in each")
	measure.Flags().StringSliceVar(&m.Sets, "sets", nil, "names of sets with commas between them; all if not given")
	measure.Flags().DurationVar(&m.Limit, "time-limit", 20*time.Minute, "interrupt a command after so long; what it has by then counts")
	_ = measure.MarkFlagRequired("data")
	return measure
}

func walkCommand(root string) *cobra.Command {
	return leaf("walk", "Run the commands of docs/real-data.md: a minute", func(cmd *cobra.Command) error {
		return repository.WithTool(cmd.Context(), root, func(bin string) error {
			dir := filepath.Join(bin, "walk")
			if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
				return err
			}
			text, err := realdata.RunWalk(cmd.Context(), terminal.Terminal{Dir: dir, Bin: bin})
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(root, realdata.WalkResults), text, 0o644)
		})
	})
}

// messyFlags are the flags of measure messy as they were typed.
type messyFlags struct {
	kinds             []string
	seeds, scans, out string
}

func messyCommand(root string) *cobra.Command {
	var f messyFlags
	measure := leaf("messy", "Learn from simulated recordings as they come: about an hour", func(cmd *cobra.Command) error {
		m, err := f.measurement()
		if err != nil {
			return err
		}
		m.Log = cmd.OutOrStdout()
		if f.out == "" && !cmd.Flags().Changed("seeds") && !cmd.Flags().Changed("scans") {
			f.out = filepath.Join(root, recordings.Results)
		}
		return m.Measure(cmd.Context(), f.out)
	})
	measure.Long = `Learn from simulated recordings as they come. The seeds of the committed results
are 1001 to 1020: nothing is tuned on them. Results of other seeds are only shown
unless --out says where to keep them.`
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
	m.Seeds, wrong[0] = records.ParseSeeds(f.seeds)
	m.Scans, wrong[1] = records.ParseSeeds(f.scans)
	for _, k := range f.kinds {
		if !slices.Contains(recordings.Kinds(), recordings.Kind(k)) {
			return m, fmt.Errorf("there are no recordings of kind %q, want some of %v", k, recordings.Kinds())
		}
		m.Kinds = append(m.Kinds, recordings.Kind(k))
	}
	return m, errors.Join(wrong[:]...)
}

func reliabilityCommand(root string) *cobra.Command {
	m := reliability.Measurement{Root: root}
	measure := leaf("reliability", "Try to break the tool in every way that docs/reliability.md lists: several hours", func(cmd *cobra.Command) error {
		m.Log = cmd.OutOrStdout()
		return m.Measure(cmd.Context())
	})
	measure.Flags().StringSliceVar(&m.Trials, "trials", nil, "names of trials with commas between them; all if not given")
	return measure
}

func fieldsCommand(root string) *cobra.Command {
	var seeds, out string
	m := fields.Measurement{Threads: max(1, runtime.NumCPU()-1)}
	measure := leaf("fields", "Learn from simulated fields of every kernel, from grids and from pipes: many hours", func(cmd *cobra.Command) error {
		var err error
		if m.Seeds, err = records.ParseSeeds(seeds); err != nil {
			return err
		}
		m.Log = cmd.OutOrStdout()
		if out == "" && !cmd.Flags().Changed("seeds") {
			out = filepath.Join(root, fields.Results)
		}
		return m.Measure(cmd.Context(), out)
	})
	measure.Long = `Learn from simulated fields of every kernel, from power grids and water networks, and
from measured sets. The seeds of the committed results are ` + fields.Seeds + `: nothing is tuned
on them. Results of other seeds are only shown unless --out says where to keep them.

--only measures a part, by words that all have to hold: graph (` + strings.Join(fields.Graphs, ", ") + `),
kernel (` + strings.Join(slices.Concat(fields.Kernels, fields.Spectra), ", ") + `), N=30, M=10N, noise=1%, seed=` + strings.Split(fields.Seeds, "-")[0] + `; network, set, or a name. Given
twice, it measures both parts.`
	flags := measure.Flags()
	flags.StringVar(&seeds, "seeds", fields.Seeds, "seeds of simulated fields: FIRST-LAST, or one; the largest have the first three")
	flags.StringArrayVar(&m.Only, "only", nil, `words of what to measure, such as "N=100 M=10N"`)
	flags.BoolVar(&m.Missing, "missing", false, "leave out what has been measured already")
	flags.StringVar(&m.Networks, "networks", "", "directory of the sets that python/benchmarks/networks.py draws")
	flags.StringVar(&m.Data, "data", "", "directory of sets of real data, one in each")
	flags.StringVar(&out, "out", "", "file to keep the results in (default "+fields.Results+" for the seeds it has)")
	return measure
}

func sizesCommand(root string) *cobra.Command {
	var seeds, out string
	m := sizes.Measurement{Threads: runtime.NumCPU(), Scripts: filepath.Join(root, "python", "benchmarks")}
	measure := leaf("sizes", "Learn from simulated fields of up to 10,000 vertices: half an hour", func(cmd *cobra.Command) error {
		var err error
		if m.Seeds, err = records.ParseSeeds(seeds); err != nil {
			return err
		}
		m.Log = cmd.OutOrStdout()
		if out == "" && !cmd.Flags().Changed("seeds") {
			out = filepath.Join(root, sizes.Results)
		}
		return m.Measure(cmd.Context(), out)
	})
	measure.Long = fmt.Sprintf(`Learn from simulated fields of order one and two, of 400 to 10,000 vertices and around
1000, and compare the two ways to learn a field where both can be had. The seeds of the
committed results are %s: nothing is tuned on them. Results of other seeds are only
shown unless --out says where to keep them.

--only measures a part, by words that all have to hold: %s;
graph (%s), positive, signed, N=2500, M=1000,
seed=%s; set, or a name. Given twice, it measures both parts. Fields of %d
vertices and other programs are measured only if a word asks for them: N=%d,
rivals. These are scikit-learn, for which --python names a program, and the R packages QUIC and
BigQuic, for which --r does.`, sizes.Seeds, strings.Join(sizes.Parts, ", "), strings.Join(sizes.AllGraphs, ", "), strings.Split(sizes.Seeds, "-")[0], sizes.Largest, sizes.Largest)
	flags := measure.Flags()
	flags.StringVar(&seeds, "seeds", sizes.Seeds, "seeds of fields: FIRST-LAST, or one; large ones have the first")
	flags.StringArrayVar(&m.Only, "only", nil, `words of what to measure, such as "sizes grid N=2500"`)
	flags.StringSliceVar(&m.By, "by", nil, "who learns, with commas between them, such as default,QUIC; all if not given")
	flags.BoolVar(&m.Missing, "missing", false, "leave out what has been measured already")
	flags.StringVar(&m.Data, "data", "", "directory of sets of real data, one in each")
	flags.StringVar(&m.Python, "python", "", "Python with scikit-learn")
	flags.StringVar(&m.R, "r", "", "Rscript with QUIC and BigQuic")
	flags.StringVar(&out, "out", "", "file to keep the results in (default "+sizes.Results+" for the seeds it has)")
	return measure
}

func plansCommand(root string) *cobra.Command {
	var seeds, out string
	m := plans.Measurement{Threads: runtime.NumCPU()}
	measure := leaf("plan", "Hold plans against what is found once the signals are there: ten minutes", func(cmd *cobra.Command) error {
		var err error
		if m.Seeds, err = records.ParseSeeds(seeds); err != nil {
			return err
		}
		m.Log = cmd.OutOrStdout()
		if out == "" && !cmd.Flags().Changed("seeds") {
			out = filepath.Join(root, plans.Results)
		}
		return m.Measure(cmd.Context(), out)
	})
	measure.Long = `Hold plans against what is found once the signals are there. The seeds of the
committed results are ` + plans.Seeds + `: nothing is tuned on them. Results of other seeds are
only shown unless --out says where to keep them.`
	flags := measure.Flags()
	flags.StringVar(&seeds, "seeds", plans.Seeds, "seeds of fields on grids: FIRST-LAST, or one")
	flags.StringVar(&m.Data, "data", "", "directory of the NetSim sets, one in each")
	flags.StringVar(&out, "out", "", "file to keep the results in (default "+plans.Results+" for the seeds it has)")
	return measure
}

func forecastCommand(root string) *cobra.Command {
	m := forecast.Measurement{Root: root, Threads: runtime.NumCPU()}
	measure := leaf("forecast", "Hold linear forecasts along the edges of graphs against each other: two minutes", func(cmd *cobra.Command) error {
		m.Log = cmd.OutOrStdout()
		return m.Measure(cmd.Context(), filepath.Join(root, forecast.Results))
	})
	measure.Flags().StringVar(&m.Data, "data", "", "directory of the sets that are not in the repository, one in each")
	return measure
}

func groupsCommand(root string) *cobra.Command {
	var out string
	m := cohorts.Measurement{Threads: runtime.NumCPU()}
	measure := leaf("groups", "Compare groups of simulated subjects, and learn what they have in common: an hour", func(cmd *cobra.Command) error {
		m.Log = cmd.OutOrStdout()
		if out == "" && m.Seed == cohorts.Seed {
			out = filepath.Join(root, cohorts.Results)
		}
		return repository.WithTool(cmd.Context(), root, func(bin string) error {
			m.Tool = filepath.Join(bin, "nervure")
			return m.Measure(cmd.Context(), out)
		})
	})
	measure.Long = fmt.Sprintf(`Compare groups of simulated subjects, and learn what they have in common. The seed of the
committed results is %d: nothing is tuned on it. Results of another are only shown unless
--out says where to keep them.

--only measures a part, by words that all have to hold: %s; N=10, M=200, AR=0.7,
changes=3. Given twice, it measures both parts. All but the first part need the studies that
python/benchmarks/groups.py draws, and with them is measured what NetworkComparisonTest
(nct.R) and nilearn (groups.py nilearn) have made of them.`, cohorts.Seed, strings.Join(cohorts.Parts, ", "))
	flags := measure.Flags()
	flags.Uint64Var(&m.Seed, "seed", cohorts.Seed, "seed of simulated subjects")
	flags.StringArrayVar(&m.Only, "only", nil, `words of what to measure, such as "size N=50"`)
	flags.BoolVar(&m.Missing, "missing", false, "leave out what has been measured already")
	flags.StringVar(&m.Data, "data", "", "directory of the studies that python/benchmarks/groups.py draws")
	flags.StringVar(&out, "out", "", fmt.Sprintf("file to keep the results in (default "+cohorts.Results+" for seed %d)", cohorts.Seed))
	return measure
}
