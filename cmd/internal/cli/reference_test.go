package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

const referencePage = "../../../docs/reference.md"

// The commands, keys, exit codes and file formats of docs/reference.md are those of the code.
// `go test ./cmd/internal/cli -run ReferencePage -update` writes them anew.
func TestReferencePageIsWhatTheCodeSays(t *testing.T) {
	have, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(have)
	for name, text := range map[string]string{
		"commands": commandsInPage(manual(t)),
		"keys":     keysInPage(summaryKeys),
		"codes":    exitCodesInPage(),
		"formats":  formatsInPage(),
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
		t.Error("docs/reference.md is not what the code says; run go test ./cmd/internal/cli -run ReferencePage -update")
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
		fmt.Fprintf(&b, "## nervure %s\n\n```text\n%s\n```\n", cmd.Name(), usageLine(cmd))
		for _, part := range helpParts(about(cmd)) {
			b.WriteString("\n")
			if part.items == nil {
				b.WriteString(inMarkdown(part.text) + "\n")
			}
			for _, item := range part.items {
				fmt.Fprintf(&b, "- `%s`: %s\n", item.term, inMarkdown(item.text))
			}
		}
		if cmd.Example != "" {
			b.WriteString("\n```text\n")
			for line := range strings.Lines(cmd.Example + "\n") {
				b.WriteString(strings.TrimPrefix(line, "  "))
			}
			b.WriteString("```\n")
		}
		for _, group := range flagGroups(cmd.LocalFlags()) {
			flags := visible(group.flags)
			if len(flags) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", group.title)
			for _, f := range flags {
				spelling, meaning := flagLine(f)
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
	for _, c := range exitMeanings {
		fmt.Fprintf(&b, "| %d | %s |\n", c.code, inCell(c.meaning))
	}
	return b.String()
}

func keysInPage(keys []keyMeaning) string {
	var b strings.Builder
	b.WriteString("| key | meaning |\n|---|---|\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.key, inCell(k.meaning))
	}
	return b.String()
}

// keysOf are the keys that a value of a type may have in JSON: those of objects
// within it after a point, those in lists after [].
func keysOf(typ reflect.Type, prefix string) []string {
	switch typ.Kind() {
	case reflect.Pointer:
		return keysOf(typ.Elem(), prefix)
	case reflect.Slice:
		return keysOf(typ.Elem(), prefix+"[]")
	case reflect.Struct:
	default:
		return nil
	}
	var keys []string
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		key := strings.TrimPrefix(prefix+"."+name, ".")
		keys = append(append(keys, key), keysOf(field.Type, key)...)
	}
	return keys
}

// Every key of a summary is described, in the order of the file, and every
// description has a key.
func TestSummaryKeysAreDescribed(t *testing.T) {
	keys := keysOf(reflect.TypeFor[learnSummary](), "")
	for k := range max(len(keys), len(summaryKeys)) {
		switch {
		case k >= len(keys):
			t.Fatalf("%s is described in reference_keys_test.go, and no summary has it", summaryKeys[k].key)
		case k >= len(summaryKeys) || keys[k] != summaryKeys[k].key:
			t.Fatalf("key %d of a summary is %s, which reference_keys_test.go does not describe at its place", k, keys[k])
		}
	}
}

// Summaries that were written have no key but those described.
func TestWrittenSummariesHaveDescribedKeys(t *testing.T) {
	dir := t.TempDir()
	signals, summary := filepath.Join(dir, "signals.csv"), filepath.Join(dir, "summary.json")
	if code, _, stderr := run(t.Context(), nil, "generate", "--graph", "ring", "--vertices", "8", "--signals", "60", "--noise", "0.1", "--out", dir); code != exitDone {
		t.Fatal(stderr)
	}
	for _, method := range []string{sparseMethod, "correlation"} {
		if code, _, stderr := run(t.Context(), nil, "learn", signals, "--method", method, "--out", filepath.Join(dir, "graph.csv"), "--summary", summary); code != exitDone {
			t.Fatal(stderr)
		}
		text, err := os.ReadFile(summary)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		keys := keysIn(value, "")
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			if !slices.ContainsFunc(summaryKeys, func(k keyMeaning) bool { return k.key == key || key == "params.degree" && k.key == "params" }) {
				t.Errorf("%s: a summary has the key %s, which nothing describes", method, key)
			}
		}
	}
}

// keysIn are the keys of a JSON value, named as keysOf does.
func keysIn(value any, prefix string) []string {
	var keys []string
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			key := strings.TrimPrefix(prefix+"."+name, ".")
			keys = append(append(keys, key), keysIn(inner, key)...)
		}
	case []any:
		for _, inner := range value {
			keys = append(keys, keysIn(inner, prefix+"[]")...)
		}
	}
	return keys
}
