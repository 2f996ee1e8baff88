package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/docs/internal/codeblock"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A page that names a flag of nervure names one that exists. The reference, which
// is generated from the code, says which do.
func TestPagesNameFlagsThatExist(t *testing.T) {
	manual, err := filepath.Glob(root + "/docs/*.md")
	if err != nil || len(manual) == 0 {
		t.Fatal("docs has no pages", err)
	}
	help, known := read(t, "docs/reference.md"), 0
	for _, path := range append(manual, root+"/README.md") {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range flagsNamed(read(t, name)) {
			if known++; flag != "--help" && !strings.Contains(help, flag) {
				t.Errorf("%s names %s, which no command has", name, flag)
			}
		}
	}
	if known == 0 {
		t.Error("no page names a flag")
	}
}

var (
	aboutNervure = regexp.MustCompile("`(nervure [^`\n]*|--[a-z-]+[^`\n]*)`")
	flagName     = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// flagsNamed are the flags of nervure in the code within the lines of a page.
func flagsNamed(page string) []string {
	var flags []string
	for _, m := range aboutNervure.FindAllStringSubmatch(page, -1) {
		flags = append(flags, flagName.FindAllString(m[1], -1)...)
	}
	return flags
}

func TestFlagsNamed(t *testing.T) {
	got := flagsNamed("`nervure learn --edges 5 --log` or `--out FILE`, not `git log --oneline` nor --this")
	if want := "--edges --log --out"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The picture is what the demo draws; see cmd/nervure/testdata/script/demo.txtar for its making.
func TestReadmePictureExists(t *testing.T) {
	if !strings.Contains(read(t, "README.md"), "(docs/demo.svg)") || !strings.HasPrefix(read(t, "docs/demo.svg"), "<svg") {
		t.Error("README.md does not show docs/demo.svg")
	}
}

// Every method has a section of its own that names its source.
func TestEveryMethodHasItsSection(t *testing.T) {
	sections := strings.Split(read(t, "docs/methods.md"), "\n## `")[1:]
	methods := nervure.Methods()
	if len(sections) != len(methods) {
		t.Errorf("%d sections, %d methods", len(sections), len(methods))
	}
	for _, m := range methods {
		k := slices.IndexFunc(sections, func(s string) bool { return strings.HasPrefix(s, m.Name()+"`\n") })
		switch {
		case k < 0:
			t.Errorf("docs/methods.md has no section on %s", m.Name())
		case m.Source != "" && !strings.Contains(sections[k], "["+m.Source+"]"):
			t.Errorf("the section on %s does not cite [%s]", m.Name(), m.Source)
		}
	}
}

// The gallery shows each example as it is, with what it prints and its figure.
func TestGalleryShowsEveryExample(t *testing.T) {
	page := read(t, codeblock.Gallery)
	scripts, err := filepath.Glob(root + "/python/examples/*.py")
	if err != nil || len(scripts) < 2 {
		t.Fatal("there are no examples", err)
	}
	var figures []string
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".py")
		if name == "gallery" { // what they share
			continue
		}
		path := "python/examples/" + name + ".py"
		for _, shown := range []string{
			"```python " + path + "\n" + read(t, path) + "```\n",
			"```console checked\n$ python " + path + "\n",
			"](figures/gallery/" + name + ".svg)\n",
		} {
			if !strings.Contains(page, shown) {
				t.Errorf("%s does not show\n%s", codeblock.Gallery, shown)
			}
		}
		figures = append(figures, root+"/docs/figures/gallery/"+name+".svg")
	}
	if have, err := filepath.Glob(root + "/docs/figures/gallery/*"); err != nil || !slices.Equal(have, figures) {
		t.Errorf("docs/figures/gallery has %q, the examples make %q", have, figures)
	}
}

// What proves is shorter than what helps, but for what is folded.
func TestEvidenceIsShorterThanHelp(t *testing.T) {
	folded := regexp.MustCompile(`(?s)<details>\n<summary>.*?</details>\n`)
	count := func(names ...string) (words int) {
		for _, name := range names {
			text := read(t, "docs/"+name+".md")
			if strings.Count(text, "<details>") != strings.Count(text, "</details>\n") {
				t.Errorf("docs/%s.md has a fold that does not end", name)
			}
			words += len(strings.Fields(folded.ReplaceAllString(text, "")))
		}
		return words
	}
	evidence := count("paper", "real-data", "recordings", "windows", "performance", "reliability", "summary")
	if help := count("tutorial", "howto", "faq", "python"); evidence > help {
		t.Errorf("the pages of evidence show %d words, those of help %d: fold tables and history", evidence, help)
	}
}
