package arguments

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A flag that may stand alone takes the word after it, too, unless that is a file.
func TestFlagsTakeWordsAfterThem(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("yes", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	root, learn := &cobra.Command{Use: "nervure"}, &cobra.Command{Use: "learn", Run: func(*cobra.Command, []string) {}}
	root.AddCommand(learn)
	(&Learn{}).Define(learn)
	for typed, want := range map[string]string{
		"learn s.csv --scores no":              "learn s.csv --scores=no",
		"learn --scores auto s.csv":            "learn --scores=auto s.csv",
		"learn --difference false s.csv":       "learn --difference=false s.csv",
		"learn --detrend=no s.csv":             "learn --detrend=no s.csv",
		"learn --difference s.csv":             "learn --difference s.csv",
		"learn s.csv --difference":             "learn s.csv --difference",
		"learn --difference --scores no s.csv": "learn --difference --scores=no s.csv",
		"learn --difference yes":               "learn --difference yes", // a file
		"learn --confidence no s.csv":          "learn --confidence no s.csv",
		"learn --out --scores no":              "learn --out --scores no", // a file with an odd name
		"learn --transpose no":                 "learn --transpose=false",
		"learn --transpose true s.csv":         "learn --transpose=true s.csv",
		"learn --quiet false s.csv":            "learn --quiet=false s.csv",
		"learn --transpose auto":               "learn --transpose auto", // a file
		"learn --scores -- no":                 "learn --scores -- no",
		"learn -- --scores no":                 "learn -- --scores no",
		"learn --no-such no":                   "learn --no-such no",
		"lern --scores no":                     "lern --scores no",
		"":                                     "",
	} {
		if got := JoinWords(root, strings.Fields(typed)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

// What was joined is what is meant.
func TestWordsAfterFlagsCount(t *testing.T) {
	t.Chdir(t.TempDir())
	cmd, f := &cobra.Command{Use: "learn"}, &Learn{}
	f.Define(cmd)
	if err := cmd.ParseFlags(JoinWords(cmd, strings.Fields("s.csv --scores no --difference --detrend auto"))); err != nil {
		t.Fatal(err)
	}
	doc, err := f.Document(cmd.Flags().Args()...)
	if p := doc.Prepare; err != nil || p.Scores != "no" || p.Difference != "yes" || p.Detrend != "auto" || !slices.Equal(doc.Read.Files, []string{"s.csv"}) {
		t.Errorf("got %+v of %q, %v", p, doc.Read.Files, err)
	}
}
