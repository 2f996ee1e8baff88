package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sparsityAuto has as many atoms a signal as the signals ask for.
const sparsityAuto = "auto"

func defineSparsity(s *pflag.FlagSet, asked *string) {
	s.StringVar(asked, "sparsity", sparsityAuto, "sparse: maximum number `N` of atoms per signal, or auto to choose it from the signals")
}

func completeSparsity(cmd *cobra.Command) {
	mustComplete(cmd, "sparsity", cobra.FixedCompletions([]cobra.Completion{sparsityAuto, "4"}, cobra.ShellCompDirectiveNoFileComp))
}

// readSparsity understands --sparsity; 0 means that it is to be chosen.
func readSparsity(asked string) (int, error) {
	if asked == sparsityAuto {
		return 0, nil
	}
	c := count{least: 1}
	if err := c.Set(asked); err != nil {
		return 0, misuse("--sparsity %q: %s, or auto", asked, err)
	}
	return c.value, nil
}
