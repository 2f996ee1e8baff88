package house

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	update   = flag.Bool("update", false, "lower the figures of the budgets to what is, and add those that are missing")
	cpuTimes = flag.String("cpu-times", "", "hold packages to their budget of processor time, by this file that .ci/cpu wrote")
)

// A budget has a line for each figure: what it counts, and the most that it may be. make budget lowers the
// figures; they are raised by hand, in a commit of its own that says why.
const (
	budgetOfTokens = "internal/house/testdata/budget.txt"
	budgetOfTime   = "internal/house/testdata/times.txt"
)

// judging are the packages whose constants decide something about signals or graphs.
var judging = []string{"prepare", "internal/intake", "internal/sensors", "internal/margins", "internal/auto", "internal/assess", "internal/evidence", "internal/facts", "internal/judge"}

const (
	widest       = 140 // columns of a line, a tab being four
	longest      = 80  // lines of a function
	tokensSlack  = 500 // figures of tokens are rounded up to these
	moreTime     = 1.5 // times its budget is what a package may take
	fewSeconds   = 5.0 // are never too many
	secondsSlack = 2.0 // figures of seconds are rounded up to these
)

// weighed are the figures of the tree: tokens by area, and what makes code hard to read or to trust.
func weighed(t *testing.T) map[string]float64 {
	t.Helper()
	figures, entries := map[string]float64{}, map[string]bool{}
	for _, f := range goFiles(t) {
		text := read(t, f.name)
		kind := "code"
		if f.inTest {
			kind = "tests"
		}
		tokens := float64(tokensOf(text))
		figures[kind+" "+areaOf(f.pkg)] += tokens
		figures[kind+" in all"] += tokens
		if f.inTest {
			continue
		}
		if f.pkg == "." {
			figures["code files of the root"]++
		}
		for line := range strings.Lines(text) {
			if len([]rune(strings.TrimRight(line, "\r\n")))+3*strings.Count(line, "\t") > widest {
				figures["wide lines"]++
			}
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if f.fset.Position(d.End()).Line-f.fset.Position(d.Pos()).Line >= longest {
					figures["long functions"]++
				}
			case *ast.GenDecl:
				if d.Tok == token.CONST && slices.Contains(judging, f.pkg) {
					figures["constants that judge"] += float64(numbersOf(d))
				}
			}
		}
	}
	for _, name := range repositoryFiles(t) {
		entry, _, _ := strings.Cut(name, "/")
		entries[entry] = true
	}
	figures["entries of the root"] = float64(len(entries))
	return figures
}

// areaOf is the folder that a package counts for: at the root, or in cmd.
func areaOf(pkg string) string {
	parts := strings.Split(pkg, "/")
	if parts[0] == "cmd" {
		return path.Join(parts[:min(2, len(parts))]...)
	}
	return parts[0]
}

// tokensOf counts what a reader has to carry: comments weigh nothing, wide lines what short ones do, and a
// qualified name what its names do.
func tokensOf(text string) (count int) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), []byte(text), nil, 0)
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return count
		}
		if tok != token.PERIOD && (tok != token.SEMICOLON || literal == ";") {
			count++
		}
	}
}

// numbersOf counts the constants of a declaration that are given as numbers.
func numbersOf(d *ast.GenDecl) (count int) {
	for _, spec := range d.Specs {
		for _, value := range spec.(*ast.ValueSpec).Values {
			if isNumber(value) {
				count++
			}
		}
	}
	return count
}

func isNumber(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.INT || e.Kind == token.FLOAT
	case *ast.UnaryExpr:
		return isNumber(e.X)
	case *ast.BinaryExpr:
		return isNumber(e.X) && isNumber(e.Y)
	}
	return false
}

// readBudget reads figures; those of one name are added up.
func readBudget(t *testing.T, name string) map[string]float64 {
	t.Helper()
	figures := map[string]float64{}
	lines := bufio.NewScanner(strings.NewReader(read(t, name)))
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cut := strings.LastIndexByte(line, ' ')
		figure, err := strconv.ParseFloat(line[cut+1:], 64)
		if err != nil {
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		figures[line[:cut]] += figure
	}
	return figures
}

// writeBudget writes the lower figures, and those of what is new; what is no more goes.
func writeBudget(t *testing.T, name string, budget, is map[string]float64) {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(read(t, name)) {
		if strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(is)) {
		figure := is[what]
		if most, ok := budget[what]; ok {
			figure = min(figure, most)
		}
		fmt.Fprintf(&b, "%s %.0f\n", what, figure)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// inSteps rounds figures up.
func inSteps(figures map[string]float64, step func(what string) float64) map[string]float64 {
	rounded := map[string]float64{}
	for what, figure := range figures {
		rounded[what] = step(what) * math.Ceil(figure/step(what))
	}
	return rounded
}

func TestTheTreeKeepsTheBudget(t *testing.T) {
	is, budget := weighed(t), readBudget(t, budgetOfTokens)
	if *update {
		writeBudget(t, budgetOfTokens, budget, inSteps(is, func(what string) float64 {
			if strings.HasPrefix(what, "code ") && what != "code files of the root" || strings.HasPrefix(what, "tests ") {
				return tokensSlack
			}
			return 1
		}))
		return
	}
	for _, what := range slices.Sorted(maps.Keys(is)) {
		most, ok := budget[what]
		switch {
		case !ok:
			t.Errorf("%s: %.0f, without a budget: make budget adds it to %s", what, is[what], budgetOfTokens)
		case is[what] > most:
			t.Errorf("%s: %.0f, and %.0f is the most: take something away, or raise the figure in %s in a commit of its own that says why", what, is[what], most, budgetOfTokens)
		}
	}
}

// A package that takes more processor time than it may is a fault, however fast the machine is.
func TestPackagesKeepTheirTime(t *testing.T) {
	if *cpuTimes == "" {
		t.Skip("make test TIMED=yes measures the time of packages")
	}
	took, budget := readBudget(t, *cpuTimes), readBudget(t, budgetOfTime)
	sum := 0.0
	for _, seconds := range took {
		sum += seconds
	}
	t.Logf("%.0f s of processor time in %d packages", sum, len(took))
	if *update {
		is := maps.Clone(budget) // of packages that were not measured
		for what, seconds := range took {
			if moreTime*seconds > fewSeconds {
				is[what] = seconds
			} else {
				delete(is, what)
			}
		}
		writeBudget(t, budgetOfTime, budget, inSteps(is, func(string) float64 { return secondsSlack }))
		return
	}
	if len(budget) == 0 {
		t.Fatalf("%s has no figures: make budget writes them", budgetOfTime)
	}
	for _, fault := range tooSlow(took, budget) {
		t.Error(fault)
	}
}

// tooSlow says which packages take too long. Half of them take longer than their budget on a machine that is
// slow, or busy: what that half takes at least, times their budget, all others may, too.
func tooSlow(took, budget map[string]float64) (faults []string) {
	var ratios []float64
	for what, seconds := range took {
		if most := budget[what]; most >= fewSeconds {
			ratios = append(ratios, seconds/most)
		}
	}
	slices.Sort(ratios)
	slowness := 1.0
	if len(ratios) > 0 {
		slowness = max(1, ratios[len(ratios)/2])
	}
	for _, what := range slices.Sorted(maps.Keys(took)) {
		if most := slowness * max(fewSeconds, moreTime*budget[what]); took[what] > most {
			faults = append(faults, fmt.Sprintf("%s takes %.1f s of processor time, and %.1f s is the most: make its tests smaller, leave some to make test-all (needs.Long), or raise %s in a commit of its own that says why", what, took[what], most, budgetOfTime))
		}
	}
	return faults
}

func TestSlowPackagesAreFound(t *testing.T) {
	budget := map[string]float64{"a": 10, "b": 20, "c": 30, "d": 2}
	for name, c := range map[string]struct {
		took map[string]float64
		want []string
	}{
		"as long as they may":      {map[string]float64{"a": 15, "b": 30, "c": 45, "d": 4}, nil},
		"one is too slow":          {map[string]float64{"a": 16, "b": 20, "c": 30, "d": 2}, []string{"a"}},
		"all are, on such machine": {map[string]float64{"a": 20, "b": 40, "c": 60, "d": 4}, nil},
		"one more than others":     {map[string]float64{"a": 20, "b": 70, "c": 60, "d": 4}, []string{"b"}},
		"a new one":                {map[string]float64{"a": 10, "b": 20, "c": 30, "e": 6}, []string{"e"}},
	} {
		var got []string
		for _, fault := range tooSlow(c.took, budget) {
			got = append(got, strings.Fields(fault)[0])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTokensAreCounted(t *testing.T) {
	for text, want := range map[string]int{
		"package x // a comment":                       2,
		"package x\nfunc f() { a := \"b c\"; g(x.a) }": 17,
		"package x\n\nvar a, b = 1,\n\t2.5e3 /* c */":  10,
	} {
		if got := tokensOf(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
