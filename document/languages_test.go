package document

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// The packages for Python, R and MATLAB know the keys of a run as the code does.
// `go test ./document -run OtherLanguages -update` writes them.
func TestOtherLanguagesKnowTheKeys(t *testing.T) {
	var python, r, matlab strings.Builder
	var numbers, switches, graphs []string
	for _, o := range Options() {
		keyword, own := o.Tag.Get("keyword"), o.Tag.Get("python")
		if keyword != "" {
			fmt.Fprintf(&r, "  %s = %q,\n", keyword, o.Key)
			fmt.Fprintf(&matlab, "    keys.%s = '%s';\n", keyword, o.Key)
		}
		if own == "" {
			own = keyword
		}
		if o.Tag.Get("complete") == "graphs" {
			graphs = append(graphs, fmt.Sprintf("%q", o.Key))
		}
		if own == "" {
			continue
		}
		fmt.Fprintf(&python, "    %q: %q,\n", own, o.Key)
		if k := o.Kind(); k == reflect.Int || k == reflect.Float64 {
			numbers = append(numbers, fmt.Sprintf("%q", own))
		}
		if isSwitch(o.Tag) && o.Key != "prepare.season" {
			switches = append(switches, fmt.Sprintf("%q", own))
		}
	}
	list := func(items []string) string { return "(" + strings.Join(items, ", ") + ")\n" }
	generated(t, "../python/src/nervure/_keys.py", "# Where in the document the value of a keyword stands.\nKEYS = {\n"+python.String()+"}\n# Keywords that are numbers, and those that are true or false.\nNUMBERS = "+list(numbers)+
		"SWITCHES = "+list(switches)+"# Keys that are graphs.\nGRAPHS = "+list(graphs))
	generated(t, "../r/nervure.R", ".nervure_keys <- c(\n"+strings.TrimSuffix(r.String(), ",\n")+")\n")
	generated(t, "../matlab/nervure.m", matlab.String())
}

// generated holds what a file has between two comments to be a text.
func generated(t *testing.T, path, want string) {
	t.Helper()
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const mark, end = "generated: go test ./document -run OtherLanguages -update\n", "end of what is generated\n"
	before, rest, found := strings.Cut(string(have), mark)
	text, _, closed := strings.Cut(rest, end)
	comment := text[strings.LastIndexByte(strings.TrimRight(text, "#% "), '\n')+1:]
	if !found || !closed {
		t.Fatalf("%s has no place for keys", path)
	}
	now := before + mark + want + comment + rest[len(text):]
	if now == string(have) {
		return
	}
	if !*updateSchema {
		t.Errorf("%s is not what the code says; run go test ./document -run OtherLanguages -update", path)
	} else if err := os.WriteFile(path, []byte(now), 0o600); err != nil {
		t.Fatal(err)
	}
}
