package dataio

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// DOT's only rule for quoted strings is that \" is a quote, so a string ends at
// the first quote that has an even number of backslashes before it.
func TestNamesStayInsideTheirQuotesInDOT(t *testing.T) {
	var b bytes.Buffer
	if err := EncodeGraph(&b, DOT, awkwardGraph(t)); err != nil {
		t.Fatal(err)
	}
	var names []string
	unescape := strings.NewReplacer(`\\`, `\`, `\"`, `"`)
	for _, m := range regexp.MustCompile(`(?s)  "((?:[^"\\]|\\.)*)"(;| -- "(?:[^"\\]|\\.)*" \[weight="[^"]*"\];)\n`).FindAllStringSubmatch(b.String(), -1) {
		if m[2] == ";" {
			names = append(names, unescape.Replace(m[1]))
		}
	}
	if !slices.Equal(names, awkward) {
		t.Errorf("got %q", names)
	}
}
