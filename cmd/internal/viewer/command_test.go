package viewer

import (
	"slices"
	"strings"
	"testing"
)

func TestCommandsOnTheListPass(t *testing.T) {
	for _, args := range []string{
		"learn a.csv",
		"learn sample:leaf --vertices sample:leaf --out graph.json --summary summary.json --report report.html",
		"learn a.csv --vertices b.csv --kernel heat:2 --kernel poly:1,-2.5e-3 --edges 12 --transpose --seed 7",
		"learn a.csv --method smooth-log --param degree=4 --threshold -1",
		"learn a.csv --difference --detrend=no --season 24,168 --bad-sensors drop",
		"compare a.csv --methods sparse,knn --folds 3 --out comparison.json",
	} {
		if err := checkCommand(strings.Fields(args), []string{"a.csv", "b.csv"}); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestCommandsOffTheListAreRefused(t *testing.T) {
	for name, args := range map[string]string{
		"another command":                  "serve a.csv",
		"no file":                          "learn",
		"a path as file":                   "learn /etc/passwd",
		"a path upwards":                   "learn ../a.csv",
		"standard input":                   "learn -",
		"a flag as file":                   "learn --help",
		"an unknown flag":                  "learn a.csv --codes x.npy",
		"a flag with its value in one":     "learn a.csv --out=/tmp/x",
		"a path after an equals sign":      "learn a.csv --difference=/etc/passwd",
		"an output elsewhere":              "learn a.csv --out /tmp/graph.json",
		"an output of another flag":        "learn a.csv --out summary.json",
		"a value with a slash":             "learn a.csv --kernel /etc/passwd",
		"a file that is not there":         "learn a.csv --prior c.csv",
		"a second file":                    "learn a.csv b.csv",
		"the end of flags":                 "learn a.csv -- b.csv",
		"a short flag":                     "learn a.csv -h",
		"no value":                         "learn a.csv --edges",
		"a sample that is a path":          "learn sample:../x",
		"a flag of learn, for compare":     "compare a.csv --report report.html",
		"how it talks, which is ours":      "learn a.csv --progress none",
		"standard input, which is ours":    "learn a.csv --until-eof",
		"more cores than one asks for":     "learn a.csv --threads 1000",
		"a value that a shell would split": "learn a.csv --kernel heat:2;ls",
	} {
		if err := checkCommand(strings.Fields(args), []string{"a.csv", "b.csv"}); err == nil {
			t.Errorf("%s: %q is let through", name, args)
		}
	}
}

func TestNamesOfUploads(t *testing.T) {
	for _, name := range []string{"a.csv", "signals.csv.gz", "Débit 2019.npz", "信号.mat", "a_b-c.tsv", "ab", "data (1).csv", "a+b, c=d [x].npy", "it's.csv", "हिन्दी.csv"} {
		if err := checkUploadName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"", "a", ".", "..", ".hidden", "-rf", "a/b", `a\b`, "../a.csv", "a..b", "a\x00b", "a\nb", "graph.json", "report.html", "Graph.JSON",
		"CON:", "sample:leaf", "a\"b", "$(ls).csv", "a|b", "a*", "a?", "<a>", "a`b`", "'a", " a", "a b ", "x.", strings.Repeat("x", 300), "\u202egpj.csv", "a\xffb",
	} {
		if checkUploadName(name) == nil {
			t.Errorf("%q is let through", name)
		}
	}
}

// Whatever a command that passes is made of, none of it names a file outside the
// job's directory.
func FuzzCheckCommand(f *testing.F) {
	f.Add("learn\x00a.csv\x00--edges\x0012")
	f.Add("learn\x00a.csv\x00--out\x00graph.json")
	f.Add("compare\x00sample:leaf\x00--methods\x00a,b")
	f.Add("learn\x00a.csv\x00--kernel\x00--out")
	f.Add("learn\x00a.csv\x00--kernel\x00--=")
	f.Fuzz(func(t *testing.T, joined string) {
		args := strings.Split(joined, "\x00")
		if checkCommand(args, []string{"a.csv"}) != nil {
			return
		}
		for _, arg := range args {
			if strings.ContainsAny(arg, "/\\ \n'\"$;|&<>") || strings.HasPrefix(arg, "--") && strings.Contains(arg, "=") && !slices.Contains(args, "--param") {
				t.Errorf("%q is let through in %q", arg, args)
			}
		}
	})
}
