package pages

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// library has the library's example.
func library(root string, p *page) ([]File, error) {
	source, err := os.ReadFile(filepath.Join(root, "example_test.go"))
	if err != nil {
		return nil, err
	}
	example, err := exampleBody(string(source))
	if err != nil {
		p.fault(err)
	}
	p.fill("example", "\n```go\n"+example+"```\n\n")
	return nil, nil
}

// exampleBody returns the statements of the function Example, without the comment
// that has its output.
func exampleBody(source string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "example_test.go", source, 0)
	if err != nil {
		return "", err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Example" {
			body := source[fset.Position(f.Body.Lbrace).Offset+1 : fset.Position(f.Body.Rbrace).Offset]
			body, _, _ = strings.Cut(body, "\t// Output:")
			return strings.TrimPrefix(strings.ReplaceAll(body, "\n\t", "\n"), "\n"), nil
		}
	}
	return "", errors.New("example_test.go has no function Example")
}
