package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nervure/nervure/internal/repository"
)

const module = "github.com/nervure/nervure"

// layers is the house: layers[k] holds the packages of layer k, and a package
// imports only from layers below its own. CONTRIBUTING.md shows the same table.
// A package may stand here before it exists.
var layers = [][]string{
	0:  {"internal/guard"},
	1:  {"examples", "graph", "input", "internal/task", "internal/build", "internal/codec/inflate", "internal/codec/numeric", "internal/fuzzing", "internal/house", "internal/linalg", "internal/matrix", "internal/memory", "internal/must", "internal/needs", "internal/portable", "internal/repository", "internal/rng", "internal/run", "internal/words"},
	2:  {"internal/checkpoint", "kernel", "signals", "internal/sparse", "internal/browsertest", "internal/codec/matlab", "internal/codec/npy", "internal/codec/parquet", "internal/codec/xlsx", "internal/durable", "internal/layout", "internal/margins"},
	3:  {"prepare", "internal/dictionary", "metrics", "method", "internal/checkpoint/disk", "internal/checks", "internal/evidence", "internal/optimise", "groups"},
	4:  {"dataio", "gsp", "synth", "baseline", "internal/figure", "internal/sensors"},
	5:  {"document", "internal/assess", "internal/simulate"},
	6:  {"learn", "internal/intake", "internal/modelfile"},
	7:  {"internal/plot", "internal/auto"},
	8:  {"."},
	9:  {"report", "model", "plan", "internal/inputs", "internal/sample", "internal/cluster", "cmd/internal/experiment", "cmd/internal/faults", "cmd/docs/internal/site", "cmd/docs/internal/terminal", "cmd/release/internal/archive", "cmd/release/internal/licence", "cmd/release/internal/recipe", "cmd/release/internal/sbom"},
	10: {"study", "cmd/internal/viewer", "cmd/docs/internal/codeblock", "cmd/release/internal/oci"},
	11: {"cmd/internal/arguments", "cmd/docs/internal/measure"},
	12: {"cmd/internal/views", "cmd/docs/internal/pages", "cmd/release"},
	13: {"cmd/internal/commands", "cmd/docs"},
	14: {"cmd/internal/pairs", "cmd/nervure"},
}

// Layers 0 to mathsTop are mathematics, except notMaths: they
// neither print nor read files, flags or the environment.
const mathsTop = 8

// notMaths are the packages of those layers that read files or the environment:
// dataio, what knows its own program or the machine, what changes files, and what tests
// use, such as the faults on purpose of guard.
var notMaths = []string{"dataio", "internal/build", "internal/browsertest", "internal/checkpoint/disk", "internal/checks", "internal/durable", "internal/guard", "internal/house", "internal/memory", "internal/needs", "internal/repository"}

var notForMaths = []string{"os", "flag", "log", "log/slog"}

// forTests are the packages that only tests import.
var forTests = []string{"internal/browsertest", "internal/checks", "internal/fuzzing"}

// inside lists the packages in the folder internal of another, lowest first. They stand on
// its layer and below it: each imports from lower layers and from those before it in the
// list. Nobody else can import them. CONTRIBUTING.md shows the same lists.
var inside = map[string][]string{
	"baseline": {"field", "nearest", "local"},
	"dataio":   {"parse"},
	"learn":    {"fitting", "job", "large", "dense"},
}

// insideOf returns the package that pkg is in the folder internal of, and its place in the
// list; pkg itself, which comes after all of them, if there is none.
func insideOf(pkg string) (house string, place int) {
	if house, name, ok := strings.Cut(pkg, "/internal/"); ok {
		if place = slices.Index(inside[house], name); place >= 0 {
			return house, place
		}
	}
	return pkg, len(inside[pkg])
}

// isBelow reports whether a package is below another.
func isBelow(low, high string) bool {
	house, place := insideOf(high)
	if lowHouse, lowPlace := insideOf(low); lowHouse == house {
		return lowPlace < place
	}
	return layerOf(low) < layerOf(high)
}

// layerOf returns the layer of a package named by its path in the module, or -1.
func layerOf(pkg string) int {
	pkg, _ = insideOf(pkg)
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, pkg) })
}

func isMaths(pkg string) bool {
	k := layerOf(pkg)
	return 0 <= k && k <= mathsTop && !slices.Contains(notMaths, pkg)
}

// importFault returns a sentence if package pkg may not import the path imp,
// else "". Tests may look sideways and up, to compare one package with another.
func importFault(pkg, imp string, inTest bool) string {
	to, ours := strings.CutPrefix(imp, module+"/")
	if imp == module {
		to, ours = ".", true
	}
	switch {
	case to == "cmd/internal/commands" && pkg != to && !strings.HasPrefix(pkg, "cmd/"):
		return fmt.Sprintf("%s imports cmd/internal/commands, which only cmd may import", pkg)
	case inTest:
		return ""
	case !ours && isMaths(pkg) && slices.Contains(notForMaths, imp):
		return fmt.Sprintf("%s imports %q, but the mathematics neither prints nor reads flags or files", pkg, imp)
	case !ours:
		return ""
	case slices.Contains(forTests, to):
		return fmt.Sprintf("%s imports %s, which is for tests", pkg, to)
	case layerOf(to) < 0:
		return fmt.Sprintf("%s imports %s, which has no layer", pkg, to)
	case !isBelow(to, pkg):
		return fmt.Sprintf("%s (layer %d) imports %s (layer %d), but imports point strictly down", pkg, layerOf(pkg), to, layerOf(to))
	}
	return ""
}

// printFaults returns a sentence for each place where f prints to the standard
// streams without importing os.
func printFaults(fset *token.FileSet, f *ast.File) []string {
	var faults []string
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			if x, ok := fun.X.(*ast.Ident); ok {
				name = x.Name + "." + fun.Sel.Name
			}
		}
		switch name {
		case "print", "println", "fmt.Print", "fmt.Printf", "fmt.Println":
			faults = append(faults, fmt.Sprintf("%s: %s is called, but the mathematics does not print", fset.Position(call.Pos()), name))
		}
		return true
	})
	return faults
}

// A goFile is a parsed source file of this repository.
type goFile struct {
	pkg    string // directory, "." for the root
	name   string
	inTest bool
	fset   *token.FileSet
	syntax *ast.File
}

// parsed are the Go files outside testdata, whatever their build constraints.
var parsed = sync.OnceValues(func() (files []goFile, err error) {
	all, err := repository.Files(".")
	if err != nil {
		return nil, err
	}
	for _, name := range all {
		if path.Ext(name) != ".go" || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, goFile{path.Dir(name), name, strings.HasSuffix(name, "_test.go"), fset, syntax})
	}
	return files, nil
})

func goFiles(t *testing.T) []goFile {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestImportsPointStrictlyDown(t *testing.T) {
	homeless := map[string]bool{}
	for _, f := range goFiles(t) {
		if layerOf(f.pkg) < 0 && !homeless[f.pkg] {
			homeless[f.pkg] = true
			t.Errorf("package %s has no layer: give it one in internal/house/layers_test.go and in CONTRIBUTING.md", f.pkg)
		}
		for _, spec := range f.syntax.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if fault := importFault(f.pkg, imp, f.inTest); fault != "" {
				t.Errorf("%s: %s", f.fset.Position(spec.Pos()), fault)
			}
		}
		if isMaths(f.pkg) && !f.inTest {
			for _, fault := range printFaults(f.fset, f.syntax) {
				t.Error(fault)
			}
		}
	}
}

// The pipeline asks methods what they can do and knows none of them: only the list of
// methods imports their packages.
func TestOnlyTheListOfMethodsKnowsThem(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.pkg != "." || f.inTest || f.name == "methods.go" {
			continue
		}
		for _, spec := range f.syntax.Imports {
			if imp := strings.Trim(spec.Path.Value, `"`); imp == module+"/learn" || imp == module+"/baseline" {
				t.Errorf("%s: %s is imported, but only methods.go may know methods", f.fset.Position(spec.Pos()), imp)
			}
		}
	}
}

// concreteMethod is an assertion on, or a case of a switch over, a type of a package of methods.
var concreteMethod = regexp.MustCompile(`\.\(\*?(learn|baseline|auto)\.[A-Z]|^\s*case \*?(learn|baseline|auto)\.[A-Z][A-Za-z0-9]*(, .*)?:$`)

// Nobody asks a method, or what it has to say, for its type: there are interfaces for that.
func TestNobodyAsksMethodsForTheirType(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.inTest || f.pkg == "learn" || f.pkg == "baseline" || f.pkg == "internal/auto" {
			continue
		}
		for k, line := range strings.Split(read(t, f.name), "\n") {
			if concreteMethod.MatchString(line) {
				t.Errorf("%s:%d: %s asks for a concrete type: use an interface of package method", f.name, k+1, strings.TrimSpace(line))
			}
		}
	}
}

func TestImportFault(t *testing.T) {
	for _, c := range []struct {
		name     string
		pkg, imp string
		inTest   bool
		faulty   bool
	}{
		{"down is fine", "learn", module + "/graph", false, false},
		{"up is a fault", "graph", module + "/learn", false, true},
		{"sideways is a fault", "baseline", module + "/synth", false, true},
		{"down inside a package is fine", "learn/internal/dense", module + "/learn/internal/job", false, false},
		{"up inside a package is a fault", "learn/internal/job", module + "/learn/internal/dense", false, true},
		{"what is inside does not import the face", "learn/internal/dense", module + "/learn", false, true},
		{"what is inside imports nothing higher", "learn/internal/dense", module + "/report", false, true},
		{"a test may look sideways", "baseline", module + "/synth", true, false},
		{"a package without a layer is a fault", "learn", module + "/util", false, true},
		{"mathematics with os is a fault", "learn", "os", false, true},
		{"dataio reads files", "dataio", "os", false, false},
		{"what is for tests is not for others", "report", module + "/internal/checks", false, true},
		{"a test outside cmd does not import the commands", "learn", module + "/cmd/internal/commands", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := importFault(c.pkg, c.imp, c.inTest); (got != "") != c.faulty {
				t.Errorf("%s imports %s (test: %t): got %q, want a fault: %t", c.pkg, c.imp, c.inTest, got, c.faulty)
			}
		})
	}
}

func TestPrintFaults(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", `package x
import "fmt"
func f() error { fmt.Println(1); fmt.Printf("2"); println(3); _ = fmt.Sprint(4); return fmt.Errorf("5") }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := printFaults(fset, f); len(got) != 3 {
		t.Errorf("got %d faults, want 3: %q", len(got), got)
	}
}

// The tree in CONTRIBUTING.md is the table above, in the same order.
func TestContributingShowsTheLayers(t *testing.T) {
	row := regexp.MustCompile(`^    (?:L(\d+) +|     )([a-z/]+|\.)/? +\S`)
	got := make([][]string, len(layers))
	layer := 0
	for line := range strings.Lines(read(t, "CONTRIBUTING.md")) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] != "" {
			layer, _ = strconv.Atoi(m[1])
		}
		if layer >= len(got) {
			t.Fatalf("CONTRIBUTING.md has a layer %d, layers_test.go does not", layer)
		}
		got[layer] = append(got[layer], strings.TrimSuffix(m[2], "/"))
	}
	for house, list := range inside {
		if want := fmt.Sprintf("Within `%s/internal`: `%s`.", house, strings.Join(list, "`, `")); !strings.Contains(read(t, "CONTRIBUTING.md"), want) {
			t.Errorf("CONTRIBUTING.md does not have %q", want)
		}
	}
	for k := range layers {
		if !slices.Equal(got[k], layers[k]) {
			t.Errorf("layer %d: CONTRIBUTING.md has %q, layers_test.go has %q", k, got[k], layers[k])
		}
	}
}

// throughDurable are the packages that write what people keep. Their changes to files go
// through internal/durable, so that a test can make each of them fail.
var throughDurable = []string{"dataio", "internal/sample", "study", "internal/checkpoint/disk", "cmd/internal/arguments", "cmd/internal/views", "cmd/internal/commands", "cmd/internal/experiment"}

func TestChangesToFilesGoThroughOnePackage(t *testing.T) {
	changes := []string{"Create", "CreateTemp", "WriteFile", "Rename", "Link", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp", "Truncate"}
	for _, f := range goFiles(t) {
		if f.inTest || !slices.Contains(throughDurable, f.pkg) {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(changes, s.Sel.Name) {
				t.Errorf("%s: os.%s is called, but changes to files go through internal/durable", f.fset.Position(s.Pos()), s.Sel.Name)
			}
			return true
		})
	}
}
