package house

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	citation = regexp.MustCompile(`\[([a-z]+[0-9]{4})\]`)
	bibEntry = regexp.MustCompile(`(?m)^@[a-z]+\{([a-z]+[0-9]{4}),$`)
)

// citations returns where each key is cited: in comments of Go files and in
// Markdown.
func citations(t *testing.T) map[string][]string {
	t.Helper()
	cited := map[string][]string{}
	cite := func(text, where string) {
		for _, m := range citation.FindAllStringSubmatch(text, -1) {
			cited[m[1]] = append(cited[m[1]], where)
		}
	}
	for _, f := range goFiles(t) {
		for _, group := range f.syntax.Comments {
			for _, c := range group.List {
				cite(c.Text, f.fset.Position(c.Pos()).String())
			}
		}
	}
	for _, name := range repositoryFiles(t) {
		if path.Ext(name) == ".md" {
			cite(read(t, name), name)
		}
	}
	return cited
}

func TestCitationsAndReferencesAgree(t *testing.T) {
	var known []string
	for _, m := range bibEntry.FindAllStringSubmatch(read(t, "references.bib"), -1) {
		if slices.Contains(known, m[1]) {
			t.Errorf("references.bib has %s twice", m[1])
		}
		known = append(known, m[1])
	}
	cited := citations(t)
	for key, places := range cited {
		if !slices.Contains(known, key) {
			t.Errorf("[%s] is not in references.bib; cited at %s", key, strings.Join(places, ", "))
		}
	}
	for _, key := range known {
		if len(cited[key]) == 0 {
			t.Errorf("references.bib has %s, which nothing cites: cite it or list it in docs/notation.md", key)
		}
	}
	if entries := strings.Count(read(t, "references.bib"), "\n@"); entries != len(known) {
		t.Errorf("references.bib has %d entries, of which %d have a key such as maretic2017", entries, len(known))
	}
}

// A trace is a kind of text that has no place in the repository.
type trace struct {
	what    string
	pattern *regexp.Regexp
	inTests bool // whether tests may have it
}

// The patterns are written so that they do not match themselves.
var traces = []trace{
	{"a path of one machine", regexp.MustCompile(`(?m)(^|[^\w.~/-])/(work|root|home|Users)(/|\b)`), false},
	{"a path outside the repository", regexp.MustCompile(`\.\./[s]hared\b`), true},
	{"unfinished business", regexp.MustCompile(`\b(TO[D]O|FIX[M]E|XX[X])\b`), false},
	{"the host of a package registry", regexp.MustCompile(`(?i)\b((proxy|sum)[.]golang[.]org|goproxy[.](io|cn)|registry[.](npmjs|yarnpkg)[.](org|com)|pypi[.]org|files[.]pythonhosted[.]org|(static[.])?crates[.]io)\b`), false},
}

// in returns the first of its kind in text, or "".
func (k trace) in(text string) string { return strings.TrimSpace(k.pattern.FindString(text)) }

func TestRepositoryHoldsNoTraces(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		text := read(t, name)
		if strings.Contains(text, "\x00") {
			continue // binary
		}
		for _, k := range traces {
			if k.inTests && strings.HasSuffix(name, "_test.go") {
				continue
			}
			if found := k.in(text); found != "" {
				t.Errorf("%s has %s: %q", name, k.what, found)
			}
		}
	}
}

func TestTraces(t *testing.T) {
	slash := "/" // keeps the paths below out of this file
	for _, c := range []struct {
		text   string
		traced bool
	}{
		{`open("` + slash + `home/ann/signals.csv")`, true},
		{"cd " + slash + "work", true},
		{slash + "root/.cache at the start of a line", true},
		{"see .." + slash + "shared/instances", true},
		{"// TO" + "DO: later", true},
		{"GOPROXY=https:" + slash + "/proxy." + "golang.org", true},
		{"https://example.org/home/page and graph/work are no paths of a machine", false},
		{"a workshop, a root, todo in lower case, pkg.go.dev", false},
	} {
		if got := slices.ContainsFunc(traces, func(k trace) bool { return k.in(c.text) != "" }); got != c.traced {
			t.Errorf("%q: traced is %t, want %t", c.text, got, c.traced)
		}
	}
}

// Names such as graph.Graph.Degrees in docs/notation.md exist in the code, once
// their package does.
func TestNotationNamesExist(t *testing.T) {
	declared := map[string]bool{} // package, package.Name, package.Type.Member
	for _, f := range goFiles(t) {
		if f.inTest {
			continue
		}
		pkg := f.syntax.Name.Name
		declared[pkg] = true
		for _, name := range declarations(f.syntax) {
			declared[pkg+"."+name] = true
		}
	}
	names := regexp.MustCompile("`([a-z]+)(\\.[A-Z]\\w*)+`").FindAllStringSubmatch(read(t, "docs/notation.md"), -1)
	if len(names) == 0 {
		t.Fatal("docs/notation.md has no qualified names")
	}
	for _, m := range names {
		if name := strings.Trim(m[0], "`"); declared[m[1]] && !declared[name] {
			t.Errorf("docs/notation.md has %s, which does not exist", name)
		}
	}
}

// declarations returns the top-level names of f, and Type.Member for methods
// and struct fields.
func declarations(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, receiver(d)+d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names = append(names, id.Name)
					}
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
					if s, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range s.Fields.List {
							for _, id := range field.Names {
								names = append(names, spec.Name.Name+"."+id.Name)
							}
						}
					}
				}
			}
		}
	}
	return names
}

// receiver returns "Type." for a method and "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}

// The warnings that docs/faq.md explains, in bold letters, are in the code.
func TestFAQWarningsAreReal(t *testing.T) {
	_, section, _ := strings.Cut(read(t, "docs/faq.md"), "\n## Warnings\n")
	section, _, _ = strings.Cut(section, "\n## ")
	warnings := regexp.MustCompile(`(?m)^- \*\*(.*?)\*\*`).FindAllStringSubmatch(section, -1)
	if len(warnings) < 3 {
		t.Fatal("docs/faq.md explains no warnings")
	}
	var code strings.Builder
	for _, f := range goFiles(t) {
		if !f.inTest {
			code.WriteString(read(t, f.name))
		}
	}
	for _, w := range warnings {
		if !strings.Contains(code.String(), w[1]) {
			t.Errorf("docs/faq.md explains %q, which the code never says", w[1])
		}
	}
}
