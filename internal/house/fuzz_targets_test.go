package house

import (
	"flag"
	"go/ast"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var fuzzEach = flag.String("fuzz-each", "", "fuzz each target so long: 60s, or 1000000x for that many executions")

// A fuzzTarget is a function that Go fuzzes.
type fuzzTarget struct{ dir, function string }

// fuzzTargets returns the fuzz targets of the module. Those outside of the package that they
// test are faults: other fuzzers than Go's cannot build them.
func fuzzTargets(t *testing.T) []fuzzTarget {
	t.Helper()
	var targets []fuzzTarget
	for _, f := range goFiles(t) {
		for _, d := range f.syntax.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok || !f.inTest || function.Recv != nil || !strings.HasPrefix(function.Name.Name, "Fuzz") {
				continue
			}
			targets = append(targets, fuzzTarget{f.pkg, function.Name.Name})
			if strings.HasSuffix(f.syntax.Name.Name, "_test") {
				t.Errorf("%s: %s is in package %s: put it into the package that it tests", f.name, function.Name.Name, f.syntax.Name.Name)
			}
		}
	}
	return targets
}

func TestOSSFuzzBuildsEveryTarget(t *testing.T) {
	var built []fuzzTarget
	for _, m := range regexp.MustCompile(`(?m)^target (\S+) (\S+)$`).FindAllStringSubmatch(read(t, ".github/oss-fuzz/build.sh"), -1) {
		built = append(built, fuzzTarget{m[1], m[2]})
	}
	targets := fuzzTargets(t)
	for _, target := range targets {
		if !slices.Contains(built, target) {
			t.Errorf(".github/oss-fuzz/build.sh does not build %s of %s", target.function, target.dir)
		}
	}
	for k, target := range built {
		if !slices.Contains(targets, target) || slices.Index(built, target) != k {
			t.Errorf(".github/oss-fuzz/build.sh builds %s of %s, which does not exist or is built before", target.function, target.dir)
		}
	}
}

// The script of OSS-Fuzz searches a directory and those below it for a function whose name begins as
// given, and passes over what it finds more than once.
func TestFuzzTargetsAreFoundByHowTheyBegin(t *testing.T) {
	targets := fuzzTargets(t)
	for _, a := range targets {
		for _, b := range targets {
			below := a.dir == "." || b.dir == a.dir || strings.HasPrefix(b.dir, a.dir+"/")
			if a != b && below && strings.HasPrefix(b.function, a.function) {
				t.Errorf("%s of %s cannot be told from %s of %s: rename one", a.function, a.dir, b.function, b.dir)
			}
		}
	}
}

// Seeds are of targets that exist: those of others would never be run.
func TestSeedsHaveTheirTarget(t *testing.T) {
	targets, size := fuzzTargets(t), 0
	for _, name := range repositoryFiles(t) {
		dir, rest, ok := strings.Cut(name, "testdata/fuzz/")
		if !ok {
			continue
		}
		function, _, _ := strings.Cut(rest, "/")
		if dir = strings.TrimSuffix(dir, "/"); dir == "" {
			dir = "."
		}
		if !slices.Contains(targets, fuzzTarget{dir, function}) {
			t.Errorf("%s is of no fuzz target", name)
		}
		size += len(read(t, name))
	}
	if most := 300 << 10; size > most {
		t.Errorf("the seeds have %d bytes, and %d are the most", size, most)
	}
}

// Targets are fuzzed only when asked to: a million executions of each take an hour and more.
func TestEveryTargetIsFuzzed(t *testing.T) {
	if *fuzzEach == "" {
		t.Skip("say -fuzz-each 60s or -fuzz-each 1000000x to fuzz each target so long")
	}
	for _, target := range fuzzTargets(t) {
		name := strings.ReplaceAll(path.Join("nervure", target.dir), "/", ".") + "." + target.function // slashes would part the pattern of -run
		t.Run(name, func(t *testing.T) { fuzz(t, target, *fuzzEach) })
	}
}

// fuzz runs a target so long. Inputs that fail are written to testdata/fuzz of its package.
// Without a bound on minimizing, hardly any time is left for executions.
func fuzz(t *testing.T, target fuzzTarget, long string) {
	start := time.Now()
	command := exec.CommandContext(t.Context(), "go", "test", "-run", "^$", "-fuzz", "^"+target.function+"$",
		"-fuzztime", long, "-fuzzminimizetime", "100x", "-timeout", "0", "./"+target.dir)
	output, err := command.CombinedOutput()
	done := 0
	for _, m := range regexp.MustCompile(`(?m)^fuzz: .*execs: (\d+)`).FindAllSubmatch(output, -1) {
		done, _ = strconv.Atoi(string(m[1]))
	}
	t.Attr("tried", strconv.Itoa(done))
	t.Logf("%d executions in %s", done, time.Since(start).Round(time.Second))
	if err != nil {
		t.Attr("faults", "1")
		t.Errorf("%v:\n%s", err, output)
	}
	if asked, ok := strings.CutSuffix(long, "x"); ok {
		if least, _ := strconv.Atoi(asked); done < least && err == nil {
			t.Errorf("%d executions, want %d", done, least)
		}
	}
}
