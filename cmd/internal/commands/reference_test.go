package commands

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/modelfile"
	"github.com/nervure/nervure/internal/sample"
	"github.com/nervure/nervure/kernel"
)

const referencePage = "../../../docs/reference.md"

// The commands, kernels, file formats, keys and exit codes of docs/reference.md are those of the code.
// `go test ./cmd/internal/commands -run ReferencePage -update` writes them again.
func TestReferencePageIsWhatTheCodeSays(t *testing.T) {
	have, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(have)
	for name, text := range map[string]string{
		"commands":    commandsInPage(manual(t)),
		"run":         keysInPage(checks.Keys[document.Run, document.Run]()),
		"summary":     keysInPage(checks.Keys[document.Summary, document.Run]()),
		"comparison":  keysInPage(checks.Keys[document.Comparison, document.Run]()),
		"evaluation":  keysInPage(checks.Keys[document.Evaluation, document.Run]()),
		"differences": keysInPage(checks.Keys[document.Differences, document.Run]()),
		"plan":        keysInPage(checks.Keys[document.Plan, document.Run]()),
		"index":       keysInPage(checks.Keys[document.Index, document.Run]()),
		"windows":     keysInPage(checks.Keys[document.WindowIndex, document.Run]()),
		"learned":     keysInPage(checks.Keys[document.Kernels, document.Run]()),
		"model":       keysInPage(checks.Keys[modelfile.Document, document.Run]()),
		"encoded":     keysInPage(checks.Keys[document.Encoded, document.Run]()),
		"events":      keysInPage(checks.Keys[document.Event, document.Run]()),
		"manifest":    keysInPage(checks.Keys[sample.Manifest, document.Run]()),
		"recording":   keysInPage(checks.Keys[sample.RecordingManifest, document.Run]()),
		"kernels":     kernelsInPage(),
		"codes":       exitCodesInPage(),
		"formats":     formatsInPage(),
	} {
		begin, end := fmt.Sprintf("<!-- %s: generated -->\n", name), fmt.Sprintf("<!-- %s: end -->\n", name)
		before, rest, found := strings.Cut(page, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("docs/reference.md has no place for %s", name)
		}
		page = before + begin + "\n" + text + "\n" + end + after
	}
	switch {
	case page == string(have):
	case *updateFiles:
		if err := os.WriteFile(referencePage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/reference.md is not what the code says; run go test ./cmd/internal/commands -run ReferencePage -update")
	}
}

// commandsInPage is a chapter for each command.
func commandsInPage(commands []*cobra.Command) string {
	var b strings.Builder
	for k, cmd := range commands {
		if k == 0 {
			continue // the page itself is about it
		}
		if k > 1 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "## nervure %s\n\n```text\n%s\n```\n", cmd.Name(), views.UsageLine(cmd))
		for _, part := range views.HelpParts(views.About(cmd)) {
			b.WriteString("\n")
			if part.Items == nil {
				b.WriteString(inMarkdown(part.Text) + "\n")
			}
			for _, item := range part.Items {
				fmt.Fprintf(&b, "- `%s`: %s\n", item.Term, inMarkdown(item.Text))
			}
		}
		if cmd.Example != "" {
			b.WriteString("\n```text\n")
			for line := range strings.Lines(cmd.Example + "\n") {
				b.WriteString(strings.TrimPrefix(line, "  "))
			}
			b.WriteString("```\n")
		}
		for _, group := range views.FlagGroups(cmd.LocalFlags()) {
			flags := views.Visible(group.Flags)
			if len(flags) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", group.Title)
			for _, f := range flags {
				spelling, meaning := views.FlagLine(f)
				fmt.Fprintf(&b, "| `%s` | %s |\n", spelling, inCell(inMarkdown(meaning)))
			}
		}
	}
	return b.String()
}

var flagInText = regexp.MustCompile(`--[a-z][a-z-]*`)

// inMarkdown keeps words from being taken for marks, and marks flags.
func inMarkdown(s string) string {
	s = strings.NewReplacer(`*`, `\*`, `_`, `\_`, `<`, `&lt;`).Replace(s)
	return flagInText.ReplaceAllString(s, "`$0`")
}

func inCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func exitCodesInPage() string {
	var b strings.Builder
	b.WriteString("| code | meaning |\n|---|---|\n")
	for _, c := range views.ExitMeanings {
		fmt.Fprintf(&b, "| %d | %s |\n", c.Code, inCell(c.Meaning))
	}
	return b.String()
}

func kernelsInPage() string {
	var b strings.Builder
	b.WriteString("| kernel | g(λ) | what it is | example |\n|---|---|---|---|\n")
	for _, f := range kernel.Families() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` |\n", f.Usage(), inCell(inMarkdown(f.Formula)), inCell(inMarkdown(f.About)), f.Example)
	}
	return b.String()
}

func keysInPage(keys []checks.Key) string {
	var b strings.Builder
	b.WriteString("| key | meaning |\n|---|---|\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.Path, inCell(inMarkdown(k.Meaning)))
	}
	return b.String()
}
