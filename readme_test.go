package nervure_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	// The commands of the README are run by make test, which must not run itself.
	makeTest = regexp.MustCompile(`(?m)^make test\b.*\n`)
)

// shellBlocks returns the text of each fenced block marked sh.
func shellBlocks(markdown string) []string {
	var blocks []string
	for _, m := range shellBlock.FindAllStringSubmatch(markdown, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// readmeBlocks returns the shell blocks of README.md.
func readmeBlocks(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if os.IsNotExist(err) {
		t.Skip("there is no README.md yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	return shellBlocks(string(text))
}

func TestReadmeOpensWithTheTwoCommands(t *testing.T) {
	var commands []string
	for line := range strings.Lines(strings.Join(readmeBlocks(t), "")) {
		command, _, _ := strings.Cut(line, "#")
		if command = strings.TrimSpace(command); command != "" {
			commands = append(commands, command)
		}
	}
	want := []string{"go run ./cmd/nervure demo", "make test"}
	if len(commands) < 2 || !slices.Equal(commands[:2], want) {
		t.Errorf("the first commands are %q, want %q", commands[:min(2, len(commands))], want)
	}
}

// Every shell block of the README runs as written, in order, in one fresh copy
// of the repository. What go install puts down is on the path.
func TestReadmeCommandsRun(t *testing.T) {
	if os.Getenv("NERVURE_README") == "" {
		t.Skip("set NERVURE_README=1 to run the README's commands")
	}
	blocks := readmeBlocks(t)
	dir, bin := t.TempDir(), t.TempDir()
	for _, name := range repositoryFiles(t) {
		copyFile(t, name, filepath.Join(dir, name))
	}
	for _, block := range blocks {
		block = makeTest.ReplaceAllString(block, "")
		cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", block)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "NERVURE_README=", "GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s%v", block, out, err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(read(t, from)), info.Mode().Perm()); err != nil {
		t.Fatal(err)
	}
}

func TestShellBlocks(t *testing.T) {
	got := shellBlocks("# A\n\n```sh\nmake test  # all of it\nls\n```\ntext\n```go\nx := 1\n```\n```sh\necho done\n```\n")
	if want := []string{"make test  # all of it\nls\n", "echo done\n"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if rest := makeTest.ReplaceAllString(got[0], ""); rest != "ls\n" {
		t.Errorf("without make test the block is %q, want %q", rest, "ls\n")
	}
}
