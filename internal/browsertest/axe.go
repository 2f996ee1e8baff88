package browsertest

import (
	"cmp"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/needs"
)

// whereAxe asks Python for the file of axe-core, which comes as a package.
const whereAxe = "import importlib.metadata as m; print(next(f.locate() for f in m.files('axe-playwright-python') if f.name == 'axe.min.js'))"

// Axe is axe-core, which looks for what keeps people from using a page. Where it is not installed the
// test is left out.
type Axe string

// NeedAxe returns axe-core, for make test-all.
func NeedAxe(t testing.TB) Axe {
	t.Helper()
	needs.Long(t, "axe-core looks at pages")
	path, err := exec.Command(cmp.Or(os.Getenv("NERVURE_PYTHON"), "python3"), "-c", whereAxe).Output()
	if err != nil {
		needs.LeaveOut(t, "axe-core is not installed (make parts installs it where it can)")
	}
	source, err := os.ReadFile(strings.TrimSpace(string(path)))
	if err != nil {
		t.Fatal(err)
	}
	return Axe(source)
}

// Findings are what axe-core finds on a page as it is, each with its rule and the first places.
func (a Axe) Findings(p *Page) []string {
	p.t.Helper()
	if !Eval[bool](p, "typeof axe === 'object'") {
		Get(p, chromedp.Evaluate[any](string(a)+"; 0"))
	}
	// Style sheets are not asked for again: the page's policy may forbid it.
	return Eval[[]string](p, `axe.run(document, { preload: false, resultTypes: ["violations"] }).then(({ violations }) =>
		violations.map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.slice(0, 3).map((n) => n.target.join(" ") + " (" + (n.any[0] ?? n.all[0] ?? n.none[0] ?? {}).message + ")").join("; ")))`)
}
