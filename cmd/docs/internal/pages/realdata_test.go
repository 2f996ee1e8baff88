package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

func TestScreensShowWhatWasRun(t *testing.T) {
	step := measure.Step{Name: "look", Commands: "ls\ncat x\n"}
	if got, err := screen(step, nil); err != nil || got != "\n```console\n$ ls\n$ cat x\n```\n\n" {
		t.Errorf("a step that was not run: %q, %v", got, err)
	}
	if got, err := screen(step, map[string]string{"look": "$ ls\nx\n$ cat x\nhello\n"}); err != nil ||
		got != "\n```console\n$ ls\nx\n$ cat x\nhello\n```\n\n" {
		t.Errorf("a step that was run: %q, %v", got, err)
	}
	if _, err := screen(step, map[string]string{"look": "$ ls\nx\n"}); err == nil || !strings.Contains(err.Error(), "cat x was not run") {
		t.Errorf("a step that has a new command: %v", err)
	}
}

func TestInterruptsAreNoted(t *testing.T) {
	records, err := measure.Read(root, "realdata")
	if err != nil {
		t.Fatal(err)
	}
	interrupted := derived(records[:1], func(row) experiment.Values { return experiment.Values{"interrupted": 1.0, "auto.interrupted": 1.0} })
	if notes := len(setsTable(interrupted).Notes) - len(setsTable(records[:1]).Notes); notes != 2 {
		t.Errorf("%d notes on two interrupts", notes)
	}
}
