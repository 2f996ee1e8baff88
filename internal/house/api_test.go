package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// unnameable returns a sentence for each exported function, variable, constant,
// method and field of a package whose type has a part that users of the package
// cannot name: a type that is not exported, or one of a package under internal/ that has no
// alias in a public package.
func unnameable(pkg *types.Package, aliased map[*types.TypeName]bool) []string {
	c := apiCheck{pkg: pkg, aliased: aliased}
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			c.object(obj)
		}
	}
	return c.faults
}

type apiCheck struct {
	pkg     *types.Package
	aliased map[*types.TypeName]bool
	faults  []string
}

// aliasesIn notes the types for which a package has an exported alias.
func aliasesIn(pkg *types.Package, aliased map[*types.TypeName]bool) {
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || !obj.IsAlias() {
			continue
		}
		if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
			aliased[named.Obj()] = true
		}
	}
}

func (c *apiCheck) object(obj types.Object) {
	named, ok := obj.(*types.TypeName)
	if !ok {
		c.visit(obj.Name(), obj.Type())
		return
	}
	if named.IsAlias() {
		c.visit(obj.Name(), types.Unalias(obj.Type()))
		return
	}
	typ := obj.Type().(*types.Named)
	c.parameters(obj.Name(), typ.TypeParams())
	c.members(obj.Name(), typ)
}

// members looks at what a type is made of and at its methods.
func (c *apiCheck) members(place string, typ *types.Named) {
	c.visit(place, typ.Underlying())
	for method := range typ.Methods() {
		if method.Exported() {
			c.visit(place+"."+method.Name(), method.Type())
		}
	}
}

// visit looks at the parts of a type that users see at the given place.
func (c *apiCheck) visit(place string, typ types.Type) {
	switch t := typ.(type) {
	case *types.Alias:
		c.name(place, t.Obj(), t.TypeArgs())
	case *types.Named:
		c.name(place, t.Obj(), t.TypeArgs())
	case *types.Map:
		c.visit(place, t.Key())
		c.visit(place, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		c.visit(place, t.Elem())
	case *types.Signature:
		c.parameters(place, t.TypeParams())
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				c.visit(place, v.Type())
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				c.visit(place+"."+f.Name(), f.Type())
			} else if hidden, ok := baseOf(f.Type()).(*types.Named); ok && f.Embedded() {
				c.members(place, hidden) // its own are promoted
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() {
				c.visit(place+"."+m.Name(), m.Type())
			}
		}
		for embedded := range t.EmbeddedTypes() {
			c.visit(place, embedded)
		}
	case *types.Union:
		for term := range t.Terms() {
			c.visit(place, term.Type())
		}
	}
}

// baseOf returns what a pointer points to, and all else as it is.
func baseOf(typ types.Type) types.Type {
	if p, ok := typ.(*types.Pointer); ok {
		return p.Elem()
	}
	return typ
}

func (c *apiCheck) parameters(place string, list *types.TypeParamList) {
	for p := range list.TypeParams() {
		c.visit(place, p.Constraint())
	}
}

func (c *apiCheck) name(place string, obj *types.TypeName, arguments *types.TypeList) {
	for argument := range arguments.Types() {
		c.visit(place, argument)
	}
	fault := func(why string) {
		c.faults = append(c.faults, fmt.Sprintf("%s.%s shows %s, which %s", c.pkg.Path(), place, obj.Name(), why))
	}
	switch from := obj.Pkg(); {
	case from == nil, c.aliased[obj]: // error, any and the like
	case slices.Contains(strings.Split(from.Path(), "/"), "internal"):
		fault("is in " + from.Path())
	case !obj.Exported():
		fault("is not exported")
	}
}

// exported are the files of compiled packages by import path, those of this module and of all they import,
// and the public ones of this module.
type exported struct {
	files  map[string]string
	public []string
}

var compiledPackages = sync.OnceValues(func() (*exported, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Name", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	e := &exported{files: map[string]string{}}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ ImportPath, Export, Name string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return e, nil
		} else if err != nil {
			return nil, err
		}
		e.files[p.ImportPath] = p.Export
		path, ours := strings.CutPrefix(p.ImportPath+"/", module+"/")
		if ours && p.Name != "main" && !slices.Contains(strings.Split(path, "/"), "internal") {
			e.public = append(e.public, p.ImportPath)
		}
	}
})

// publicPackages are the types of the public packages.
func publicPackages(t *testing.T) (packages []*types.Package) {
	t.Helper()
	e, err := compiledPackages()
	if err != nil {
		t.Fatal(err)
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(e.files[path]) })
	for _, path := range e.public {
		pkg, err := compiled.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, pkg)
	}
	return packages
}

func TestPublicAPIHasOnlyTypesThatUsersCanName(t *testing.T) {
	packages := publicPackages(t)
	if len(packages) < 10 {
		t.Fatalf("only %q are public", packages)
	}
	aliased := map[*types.TypeName]bool{}
	for _, pkg := range packages {
		aliasesIn(pkg, aliased)
	}
	for _, pkg := range packages {
		for _, fault := range unnameable(pkg, aliased) {
			t.Error(fault)
		}
	}
}

func TestUnnameableTypesAreFound(t *testing.T) {
	fset := token.NewFileSet()
	inner := types.NewPackage("example.org/x/internal/inner", "inner")
	inner.Scope().Insert(types.NewTypeName(token.NoPos, inner, "T", nil))
	types.NewNamed(inner.Scope().Lookup("T").(*types.TypeName), types.Typ[types.Int], nil)
	inner.Scope().Insert(types.NewTypeName(token.NoPos, inner, "A", nil))
	types.NewAlias(inner.Scope().Lookup("A").(*types.TypeName), types.Typ[types.Float64])
	inner.MarkComplete()
	for source, want := range map[string]int{
		`func F(inner.T) {}`:                                          1,
		`func F() (int, []*inner.T) { return 0, nil }`:                1,
		`func F(f func(map[string]inner.T)) {}`:                       1,
		`func F() inner.A { return 0 }`:                               1, // an alias, even of a basic type, shows where it is from
		`type S struct { X inner.T }`:                                 1,
		`type S struct { inner.T }`:                                   1,
		`type S struct { x inner.T }`:                                 0,
		`type S int; func (S) M(inner.T) {}`:                          1,
		`type S int; func (S) m(inner.T) {}`:                          0,
		`type I interface { M() inner.T }`:                            1,
		`type G[P interface{ ~int; M(inner.T) }] []P`:                 1,
		`type S = inner.T`:                                            0,
		`type S = inner.T; func F(inner.T) {}`:                        0,
		`var V = inner.T(3)`:                                          1,
		`type hidden struct { X inner.T }; type S struct { *hidden }`: 1,
		`type hidden struct { x inner.T }; type S struct { hidden }`:  0,
		`type hidden int; func F(hidden) {}`:                          1,
		`type hidden int; type S struct { Public hidden}`:             1,
		`type hidden int; var v hidden; func f(hidden) {}`:            0,
		`type Shown int; func F(Shown, error, any) {}`:                0,
	} {
		f, err := parser.ParseFile(fset, "x.go", "package x; import \"example.org/x/internal/inner\"; var _ inner.T; "+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: oneImport{inner}}
		pkg, err := config.Check("example.org/x", fset, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		aliased := map[*types.TypeName]bool{}
		aliasesIn(pkg, aliased)
		if got := unnameable(pkg, aliased); len(got) != want {
			t.Errorf("%s: got %q, want %d", source, got, want)
		}
	}
}

// oneImport knows one package.
type oneImport struct{ pkg *types.Package }

func (o oneImport) Import(string) (*types.Package, error) { return o.pkg, nil }
