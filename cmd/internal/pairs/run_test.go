//go:build unix

package pairs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
)

// mostSeconds is how much processor time a run may take.
const mostSeconds = 60

// An outcome is how a run ended.
type outcome struct {
	code int
	said string // on standard error, or the sentence of another door
	took time.Duration
	dir  string // with the files that it has written
}

// A bench is what cases are tried with.
type bench struct {
	tool   string
	page   *browsertest.Server
	python *python // nil if there is none
}

// A verdict is what a case came to.
type verdict struct {
	code   int
	took   time.Duration // the longer of its runs
	said   string        // of bad input
	faults []string
}

func (v *verdict) fault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// try runs a case twice: as a document with one thread, and through its door with all of them.
func (b *bench) try(ctx context.Context, c *kase, dir string) *verdict {
	v := &verdict{}
	d, doc := c.draw(), c.document()
	first := filepath.Join(dir, "one thread")
	must(os.MkdirAll(first, 0o700))
	c.write(d, doc, first)
	one := b.shell(ctx, first, doc, "exec nervure run - --quiet --threads 1")
	v.check(c, d, doc, one)
	if len(v.faults) > 0 {
		return v
	}
	second := filepath.Join(dir, c.values["door"])
	must(os.MkdirAll(second, 0o700))
	c.write(d, doc, second)
	var other outcome
	switch c.values["door"] {
	case "command":
		other = b.shell(ctx, second, nil, "exec "+arguments.CommandLine(*doc)+" --quiet")
	case "document":
		other = b.shell(ctx, second, doc, "exec nervure run - --quiet")
	case "python":
		if b.python == nil {
			return v
		}
		format := c.values["output"]
		if !slices.Contains(dataio.Formats(dataio.WritesGraphs), dataio.Format(format)) {
			format = "json"
		}
		other = b.python.run(second, doc, format, d.names != nil || d.labels == nil)
	case "page":
		other = runOnPage(ctx, b.page, second, doc)
	}
	v.check(c, d, doc, other)
	several := doc.Windows.Dir != "" || doc.Groups.By != ""
	if door := c.values["door"]; several && (door == "page" || door == "python") && other.code == codeMisuse {
		return v // a job of the page, and learn_graph of Python, are one graph
	}
	if other.code != one.code {
		v.fault("one thread: exit %d; %s: exit %d %s", one.code, c.values["door"], other.code, other.said)
		return v
	}
	if one.code == codeDone {
		v.compare(one.dir, other.dir)
	}
	return v
}

// Exit codes; a run that takes too long is killed.
const codeDone, codeMisuse, codeKilled = 0, 2, -1

// write puts what a run reads into its directory.
func (c *kase) write(d *drawing, doc *document.Run, dir string) {
	must(os.WriteFile(filepath.Join(dir, signalsFile), []byte(d.csv(doc.Groups.By != "")), 0o600))
	list := d.names
	if list == nil {
		list = graph.DefaultNames(d.n)
	}
	g, err := graph.New(list, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 0.5}})
	must(err)
	writeGraph(filepath.Join(dir, knownFile), g)
}

// shell runs a line of a shell in a directory, with a document on its standard input.
func (b *bench) shell(ctx context.Context, dir string, doc *document.Run, line string) outcome {
	cmd := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("ulimit -t %d; %s", mostSeconds, line))
	cmd.Dir = dir
	path := filepath.Dir(b.tool) + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Env = append(os.Environ(), "PATH="+path, "GOTRACEBACK=single", "NO_COLOR=1")
	if doc != nil {
		text, err := json.Marshal(doc)
		must(err)
		must(os.WriteFile(filepath.Join(dir, "job.json"), text, 0o600))
		cmd.Stdin = bytes.NewReader(text)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		panic(err)
	}
	end := cmd.ProcessState
	return outcome{end.ExitCode(), stderr.String(), end.UserTime() + end.SystemTime(), dir}
}

// panicked is what no user must see.
var panicked = regexp.MustCompile(`(?m)^(panic|fatal error):|^goroutine |internal error|SIG[A-Z]+|runtime error|Traceback`)

// mostLetters is how long the sentence about bad input may be.
const mostLetters = 200

// check looks at how a run ended, and at all it wrote.
func (v *verdict) check(c *kase, d *drawing, doc *document.Run, o outcome) {
	v.code, v.took = o.code, max(v.took, o.took)
	switch {
	case panicked.MatchString(o.said):
		v.fault("exit %d, panic: %s", o.code, o.said)
	case o.code == codeKilled:
		v.fault("ended from outside after %.0f s of processor time, of which it may take %d", o.took.Seconds(), mostSeconds)
	case o.code == codeMisuse:
		v.said = o.said
		v.sentence(o.said)
	case o.code != codeDone:
		v.fault("exit %d: %s", o.code, o.said)
	default:
		v.files(c, d, doc, o.dir)
	}
}

// sentence looks at what is said of bad input, apart from where to find help.
func (v *verdict) sentence(said string) {
	var lines []string
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "run 'nervure") {
			lines = append(lines, line)
		}
	}
	switch {
	case len(lines) != 1:
		v.fault("exit 2 with %d sentences: %s", len(lines), said)
	case len([]rune(strings.TrimPrefix(lines[0], "nervure: "))) > mostLetters:
		v.fault("exit 2 with a sentence of %d letters: %s", len([]rune(strings.TrimPrefix(lines[0], "nervure: "))), lines[0])
	}
}
