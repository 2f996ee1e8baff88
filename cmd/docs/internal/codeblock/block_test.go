package codeblock

import (
	"fmt"
	"strings"
	"testing"
)

func TestBlocksThatAreRun(t *testing.T) {
	page := "<!-- setup\nmake it\n-->\n```sh\nls\n```\n```console\n$ rm\n```\n```console checked\n$ echo a\na\n```\n<!-- setup: no -->\n```go\nx := 1\n```\n```python x/a.py\n1\n```\n```python of x\n2\n```\n"
	var got strings.Builder
	for _, b := range Blocks(page) {
		fmt.Fprintf(&got, "%s:%s", b.Kind, b.Text)
		if page[b.from:b.to] != b.Text {
			t.Errorf("%q is not where it is said to be", b.Text)
		}
	}
	if want := "setup:make it\nsh:ls\nconsole checked:$ echo a\na\npython x/a.py:1\n"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}
