package nervure_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docsPages are the pages of the manual.
func docsPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("docs has no pages", err)
	}
	return pages
}

// A docsBlock is a block of a page that is run: fenced, marked sh, python, matlab
// or console checked; or a comment "setup", which makes files that stand for those
// of the reader.
type docsBlock struct {
	kind     string
	text     string
	from, to int // of the text in the page
}

var docsFence = regexp.MustCompile("(?ms)^```(sh|python|matlab|console checked)\n(.*?)^```$|^<!-- (setup)\n(.*?)^-->$")

func docsBlocks(page string) []docsBlock {
	var blocks []docsBlock
	for _, m := range docsFence.FindAllStringSubmatchIndex(page, -1) {
		if m[2] < 0 { // a comment
			m[2], m[3], m[4], m[5] = m[6], m[7], m[8], m[9]
		}
		blocks = append(blocks, docsBlock{page[m[2]:m[3]], page[m[4]:m[5]], m[4], m[5]})
	}
	return blocks
}

func TestDocsBlocks(t *testing.T) {
	page := "<!-- setup\nmake it\n-->\n```sh\nls\n```\n```console\n$ rm\n```\n```console checked\n$ echo a\na\n```\n<!-- setup: no -->\n"
	var got strings.Builder
	for _, b := range docsBlocks(page) {
		fmt.Fprintf(&got, "%s:%s", b.kind, b.text)
	}
	if want := "setup:make it\nsh:ls\nconsole checked:$ echo a\na\n"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}

// The commands of each page of the manual run as written and in order, in a
// directory of their own that is empty at first. What console checked blocks show
// is what is printed; `-update` writes it anew.
func TestDocsCommandsRun(t *testing.T) {
	if os.Getenv("NERVURE_README") == "" {
		t.Skip("set NERVURE_README=1 to run the commands of the manual")
	}
	bin := filepath.Dir(buildTool(t))
	for _, path := range docsPages(t) {
		page := read(t, path)
		blocks := docsBlocks(page)
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := docsShell{dir: t.TempDir(), bin: bin}
			var now strings.Builder
			done, ran := 0, true
			for _, b := range blocks {
				if strings.Contains(page[done:b.from], "\n#") {
					ran = true // a new section
				}
				text := b.text
				if ran {
					text, ran = s.run(t, b)
				}
				now.WriteString(page[done:b.from] + text)
				done = b.to
			}
			now.WriteString(page[done:])
			if *update && now.String() != page {
				hold(t, path, now.String())
			}
		})
	}
}

// A docsShell runs the blocks of a page.
type docsShell struct{ dir, bin string }

// run runs a block and returns what the page should show there. It says whether
// it could: what follows in the section may need the files that it makes.
func (s docsShell) run(t *testing.T, b docsBlock) (shown string, ran bool) {
	t.Helper()
	switch b.kind {
	case "console checked":
		shown = s.converse(t, b.text)
		if !*update && essence(shown) != essence(b.text) {
			t.Errorf("the page shows\n%sbut there is\n%s", b.text, shown)
		}
		if essence(shown) != essence(b.text) {
			return shown, true
		}
	case "python":
		return b.text, s.other(t, pythonHere(), b.text, "ModuleNotFoundError")
	case "matlab":
		return b.text, s.other(t, []string{"octave-cli", "--quiet", "--eval"}, b.text, "")
	default:
		if out, err := s.bash(t, b.text); err != nil {
			t.Fatalf("%s\n%s%v", b.text, out, err)
		}
	}
	return b.text, true
}

// converse runs the commands after "$ ", as in a terminal, and returns them with
// what they print. They may fail: that may be what is to be shown.
func (s docsShell) converse(t *testing.T, text string) string {
	t.Helper()
	var shown strings.Builder
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out, _ := s.bash(t, command)
			shown.WriteString(line + out)
		}
	}
	return shown.String()
}

// docsPrelude: the tool under test is there already.
const docsPrelude = "go() { [[ $1 == install ]]; }\n"

func (s docsShell) bash(t *testing.T, script string) (string, error) {
	t.Helper()
	return s.command(t, "bash", "-euo", "pipefail", "-c", docsPrelude+read(t, "testdata/serving.sh")+script)
}

// other runs a block in another language, where it is there with what it imports.
func (s docsShell) other(t *testing.T, program []string, script, missing string) bool {
	t.Helper()
	if _, err := exec.LookPath(program[0]); err != nil {
		t.Logf("left out, for there is no %s here:\n%s", program[0], script)
		return false
	}
	out, err := s.command(t, program[0], append(program[1:], script)...)
	switch {
	case err != nil && missing != "" && strings.Contains(out, missing):
		t.Logf("left out: %s", out)
		return false
	case err != nil:
		t.Fatalf("%s\n%s%v", script, out, err)
	}
	return true
}

func (s docsShell) command(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "LC_ALL=C.UTF-8", "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// pythonHere is the Python of the tests, with the argument that runs a text.
func pythonHere() []string {
	python := os.Getenv("NERVURE_PYTHON")
	if python == "" {
		python = "python3"
	}
	return []string{python, "-c"}
}

var (
	shownTimes  = regexp.MustCompile(`\b(in|seconds":) ?\d+(\.\d+)?( (ms|s|min|h)\b)?`)
	shownDigits = regexp.MustCompile(`(\d\.\d{5})\d+`)
)

// essence is what a run prints, without how long it took and without the digits
// that another machine may round differently.
func essence(text string) string {
	return shownDigits.ReplaceAllString(shownTimes.ReplaceAllString(text, "$1 …"), "$1")
}

func TestEssence(t *testing.T) {
	a := essence("learned 3 edges from 20 signals in 1.2 s\na,b,0.1234567891,1")
	b := essence("learned 3 edges from 20 signals in 340 ms\na,b,0.12345678,1")
	if a != b || !strings.Contains(a, "3 edges") || !strings.Contains(a, "0.12345,1") {
		t.Errorf("%q and %q", a, b)
	}
}

// A page that names a flag or a command of nervure names one that exists. The help
// says which.
func TestDocsNameFlagsThatExist(t *testing.T) {
	help := read(t, "docs/reference.md")
	named := regexp.MustCompile(`--[a-z][a-z-]*`)
	for _, path := range append(docsPages(t), "README.md") {
		for _, flag := range named.FindAllString(inline(read(t, path)), -1) {
			if flag != "--help" && !strings.Contains(help, flag) {
				t.Errorf("%s names %s, which no command has", path, flag)
			}
		}
	}
}

// inline is the code within the lines of a page that is about nervure's own flags.
func inline(page string) string {
	var b strings.Builder
	for _, m := range regexp.MustCompile("`(nervure [^`\n]*|--[a-z-]+[^`\n]*)`").FindAllStringSubmatch(page, -1) {
		b.WriteString(m[1] + "\n")
	}
	return b.String()
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
