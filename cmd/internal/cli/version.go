package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/linalg"
)

// commitWords says which commit this was built from, if that is known.
func commitWords(b build.Info) string {
	if b.Revision == "" {
		return ""
	}
	words := "commit " + b.Revision[:min(len(b.Revision), 12)]
	if b.Modified {
		words += ", modified"
	}
	return words + ", "
}

func newVersion(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			b := build.Read()
			_, err := fmt.Fprintf(c.out, "nervure %s (%s%s, %s/%s, %s kernels)\n", b.Version, commitWords(b), runtime.Version(), runtime.GOOS, runtime.GOARCH, linalg.Kernels())
			return err
		},
	}
}
