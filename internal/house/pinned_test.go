package house

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A pin is a kind of line that fetches something, and how it names what it fetches so
// that it always is the same.
type pin struct {
	what   string
	files  *regexp.Regexp // paths in the repository
	line   *regexp.Regexp // what fetches something
	pinned *regexp.Regexp
	want   string
}

var (
	shells = regexp.MustCompile(`^(Makefile|\.ci/[^.]*|\.github/workflows/.*|docs/deploy/.*)$`)
	pins   = []pin{
		{"an action", regexp.MustCompile(`^\.github/`), regexp.MustCompile(`\buses:`), regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`), "owner/name@commit # v1.2.3"},
		{"a Go tool", shells, regexp.MustCompile(`\bgo (run|install) [^.\s-]\S*\.\S*/`), regexp.MustCompile(`@v\d+\.\d+\.\d+$|github\.com/nervure/nervure/`), "module@v1.2.3"},
		{"a Python package", regexp.MustCompile(`requirements\.txt$`), regexp.MustCompile(`^[^#\s]`), regexp.MustCompile(`^[\w.-]+==[\w.]+$`), "name==1.2.3"},
		{"an installation by pip", shells, regexp.MustCompile(`\bpip("|\b).* install\b`), regexp.MustCompile(`-r \.ci/[\w-]*requirements\.txt|--no-index|--no-deps .*\./python\b|^\s*(#|echo )`), "-r .ci/requirements.txt"},
		{"an npm package", shells, regexp.MustCompile(`\b(npm install|npx)\b`), regexp.MustCompile(`@\d+\.\d+\.\d+`), "name@1.2.3"},
		// registry.example.org stands for the reader's own. OSS-Fuzz builds with its newest image.
		{"a container image", regexp.MustCompile(`(Dockerfile|Containerfile|\.ya?ml)$`), regexp.MustCompile(`^\s*(-\s*)?(image|container):|^FROM `), regexp.MustCompile(`@sha256:[0-9a-f]{64}\b|registry\.example\.org/|gcr\.io/oss-fuzz-base/`), "name@sha256:…"},
		{"a script from the network", shells, regexp.MustCompile(`\b(curl|wget)\b.*\|\s*(ba|z)?sh\b`), regexp.MustCompile(`^$`), "no such thing"},
	}
)

// faults lists the lines of a file that fetch what may be another thing tomorrow.
func (p pin) faults(name, text string) []string {
	if !p.files.MatchString(name) {
		return nil
	}
	var found []string
	for i, line := range strings.Split(text, "\n") {
		if p.line.MatchString(line) && !p.pinned.MatchString(line) {
			found = append(found, fmt.Sprintf("%s:%d: %s is not pinned (want %s): %s", name, i+1, p.what, p.want, strings.TrimSpace(line)))
		}
	}
	return found
}

func TestToolsArePinned(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		for _, p := range pins {
			if p.files.MatchString(name) {
				for _, fault := range p.faults(name, read(t, name)) {
					t.Error(fault)
				}
			}
		}
	}
}

func TestPins(t *testing.T) {
	const hash = "3d3c42e5aac5ba805825da76410c181273ba90b1"
	for _, c := range []struct {
		name, line string
		faults     int
	}{
		{".github/workflows/ci.yml", "- uses: actions/checkout@" + hash + " # v7.0.1", 0},
		{".github/workflows/ci.yml", "- uses: actions/checkout@" + hash, 1},
		{".github/workflows/ci.yml", "  image: debian@sha256:" + strings.Repeat("0a", 32), 0},
		{"Makefile", "LINT := go run example.org/lint@v1.2.3", 0},
		{"Makefile", "LINT := go run example.org/lint@latest", 1},
		{".ci/check", "go install github.com/nervure/nervure/cmd/nervure@latest", 0},
		{".ci/check", "python -m pip install --quiet twine", 1},
		{".ci/check", "python -m pip install --quiet -r .ci/requirements.txt", 0},
		{".ci/check", "curl https://example.org/install | sh", 1},
		{".ci/requirements.txt", "numpy==2.4.6", 0},
		{".ci/requirements.txt", "numpy>=2", 1},
		{"docs/deploy/Dockerfile", "FROM golang:1.26", 1},
	} {
		found := 0
		for _, p := range pins {
			found += len(p.faults(c.name, c.line))
		}
		if found != c.faults {
			t.Errorf("%s: %s: %d faults, want %d", c.name, c.line, found, c.faults)
		}
	}
}

// A workflow gets to read the repository, and a job only what else it needs. Text that
// others choose, such as the title of a pull request, never gets into a script.
func TestWorkflowsMayDoLittle(t *testing.T) {
	workflows := slices.DeleteFunc(repositoryFiles(t), func(name string) bool { return path.Dir(name) != ".github/workflows" })
	if len(workflows) == 0 {
		t.Fatal("there are no workflows")
	}
	for _, name := range workflows {
		for _, fault := range workflowFaults(read(t, name)) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// Jobs may write only with a reason beside it.
var (
	leastPermissions = regexp.MustCompile(`(?m)^permissions:\n  contents: read\n(\n|\S)`)
	permission       = regexp.MustCompile(`(?m)^ {4,}[a-z-]+: write\s*$|write-all`)
	checkout         = regexp.MustCompile(`uses: actions/checkout@\S+.*\n\s+with:\n\s+persist-credentials: false`)
	// setting is a line that begins with a key, which no script is but under run.
	setting = regexp.MustCompile(`^\s*(- )?([\w-]+):(\s|$)|^\s*#`)
)

func workflowFaults(text string) []string {
	var found []string
	if !leastPermissions.MatchString(text) {
		found = append(found, "the workflow has other permissions than contents: read")
	}
	if permission.MatchString(text) {
		found = append(found, "a permission to write has no reason beside it")
	}
	if strings.Contains(text, "pull_request_target") || strings.Contains(text, "workflow_run") {
		found = append(found, "it runs with the rights of the repository on what others wrote")
	}
	if strings.Count(text, "actions/checkout@") != len(checkout.FindAllString(text, -1)) {
		found = append(found, "a checkout keeps its credentials")
	}
	if hasExpressionInScript(text) {
		found = append(found, "an expression is part of a script: pass it in env")
	}
	if strings.Count(text, "runs-on:") != strings.Count(text, "timeout-minutes:") {
		found = append(found, "a job has no time limit")
	}
	return found
}

func hasExpressionInScript(text string) bool {
	for line := range strings.Lines(text) {
		key := setting.FindStringSubmatch(line)
		if strings.Contains(line, "${{") && (key == nil || key[2] == "run") {
			return true
		}
	}
	return false
}

func TestWorkflowFaults(t *testing.T) {
	const head = "permissions:\n  contents: read\n\njobs:\n"
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"nothing wrong":          {head, 0},
		"no permissions":         {"jobs:\n", 1},
		"more permissions":       {"permissions:\n  contents: read\n  packages: write\n\njobs:\n", 1},
		"writes without reason":  {head + "  a:\n    permissions:\n      contents: write\n", 1},
		"writes with a reason":   {head + "  a:\n    permissions:\n      contents: write # to publish\n", 0},
		"script injection":       {head + "      - run: echo ${{ github.event.issue.title }}\n", 1},
		"injection in a block":   {head + "      - run: |\n          echo ${{ github.head_ref }}\n", 1},
		"injection in words":     {head + "      - run: |\n          echo \"title: ${{ github.head_ref }}\"\n", 1},
		"an expression in env":   {head + "        env:\n          TITLE: ${{ github.head_ref }}\n", 0},
		"credentials stay":       {head + "      - uses: actions/checkout@v5\n", 1},
		"rights for strangers":   {"on: pull_request_target\n" + head, 1},
		"a job without an end":   {head + "    runs-on: ubuntu-latest\n", 1},
		"a job that has its end": {head + "    runs-on: ubuntu-latest\n    timeout-minutes: 5\n", 0},
	} {
		if got := workflowFaults(c.text); len(got) != c.want {
			t.Errorf("%s: got %q, want %d faults", name, got, c.want)
		}
	}
}
