package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Version is the version of the source. A build of a tagged module knows better.
const Version = "0.1.0-dev"

// version returns the version of this build, without the v.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version
	}
	v := strings.TrimPrefix(info.Main.Version, "v")
	if v == "" || v == "(devel)" || strings.HasPrefix(v, "0.0.0-") || strings.Contains(v, "+dirty") {
		return Version // no tag stands for these
	}
	return v
}

// revision returns the commit this was built from, or "".
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", modified"
		}
	}
	if commit == "" {
		return ""
	}
	return "commit " + commit + changed + ", "
}

func newVersion(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(c.out, "nervure %s (%s%s, %s/%s)\n", version(), revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
