package house

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// A panic in a goroutine ends the program with a trace, whatever others recover from: so guard starts all
// goroutines, and nobody else recovers. What only we run may die with its trace.
func TestOnlyGuardStartsGoroutinesAndRecovers(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.inTest || f.pkg == "internal/guard" || slices.Contains(forTests, f.pkg) || strings.HasPrefix(f.pkg, "cmd/docs") || strings.HasPrefix(f.pkg, "cmd/release") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a go statement: use a guard.Group", f.fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "sync" && n.Sel.Name == "WaitGroup" {
					t.Errorf("%s: a sync.WaitGroup: use a guard.Group", f.fset.Position(n.Pos()))
				}
			case *ast.Ident:
				if n.Name == "recover" && f.pkg != "internal/codec/parquet" { // whose library panics where a file is damaged
					t.Errorf("%s: recover is called: use guard.Run", f.fset.Position(n.Pos()))
				}
			}
			return true
		})
	}
}
