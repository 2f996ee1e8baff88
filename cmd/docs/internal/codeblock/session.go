// Package codeblock runs the code blocks of the README and of the manual as they
// are written.
package codeblock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/internal/needs"
)

// A session runs the blocks of a page, in order and in one terminal.
type session struct {
	terminal.Terminal
	root   string // of the repository, for the files that a page shows
	update bool   // show what is printed now, whatever the page shows

	ran     int
	leftOut []string // why
	faults  []error
}

// run runs the blocks of a page and returns the page as it should be. If a block
// is left out, so is what follows in its section, which may need the files that it
// makes. A block that fails is the last.
func (s *session) run(ctx context.Context, page string) string {
	var now strings.Builder
	done, skip := 0, false
	for _, b := range Blocks(page) {
		if strings.Contains(page[done:b.from], "\n#") {
			skip = false // a new section
		}
		text := b.Text
		if !skip {
			var err error
			text, skip, err = s.block(ctx, b)
			if err != nil {
				s.faults = append(s.faults, err)
				return page
			}
		}
		now.WriteString(page[done:b.from] + text)
		done = b.to
	}
	return now.String() + page[done:]
}

// block runs a block. It returns what the page should show there, and whether the
// block had to be left out.
func (s *session) block(ctx context.Context, b Block) (shown string, leftOut bool, err error) {
	if path := b.File(); path != "" {
		return s.file(b.Text, path)
	}
	switch b.Kind {
	case "console checked":
		shown = s.converse(ctx, b.Text)
		if missing, lacks := lacking(shown); lacks && !strings.Contains(b.Text, missing) {
			s.leftOut = append(s.leftOut, needs.Python()+": "+missing)
			return b.Text, true, s.allowed()
		}
		if s.ran++; essence(shown) == essence(b.Text) {
			return b.Text, false, nil
		}
		return s.changed(b.Text, shown), false, nil
	case "python":
		leftOut, err = s.other(ctx, b.Text, needs.Python(), "-c")
	case "matlab":
		leftOut, err = s.other(ctx, b.Text, "octave-cli", "--quiet", "--eval")
	case "r":
		leftOut, err = s.other(ctx, b.Text, "Rscript", "--vanilla", "-e")
	default:
		out, failed := s.Bash(ctx, b.Text)
		if failed != nil {
			return "", false, fmt.Errorf("%s%s%w", b.Text, out, failed)
		}
		s.ran++
	}
	return b.Text, leftOut, err
}

// changed is what a page should show in place of old. It is a fault if the page is
// not to be updated.
func (s *session) changed(old, now string) string {
	if !s.update {
		s.faults = append(s.faults, fmt.Errorf("the page shows\n%sbut there is\n%s", old, now))
	}
	return now
}

// file compares what a page shows of a script with the script. Without Python, the
// commands that run it are left out.
func (s *session) file(old, path string) (shown string, leftOut bool, err error) {
	script, err := os.ReadFile(filepath.Join(s.root, path))
	if err != nil {
		return "", false, err
	}
	if shown = old; string(script) != old {
		shown = s.changed(old, string(script))
	}
	if !installed(needs.Python()) {
		s.leftOut = append(s.leftOut, "there is no "+needs.Python()+" here")
		return shown, true, s.allowed()
	}
	return shown, false, nil
}

// allowed is an error if nothing may be left out, and names what was left out last.
func (s *session) allowed() error {
	if needs.All() {
		return errors.New("CI=true allows nothing to be left out: " + s.leftOut[len(s.leftOut)-1])
	}
	return nil
}

// lacking says which module Python did not find, if it says so in what it printed.
func lacking(printed string) (missing string, found bool) {
	_, missing, found = strings.Cut(printed, "ModuleNotFoundError: ")
	return strings.TrimSpace(missing), found
}

// converse runs the commands after "$ ", as in a terminal, and returns them with
// what they print. They may fail: that may be what is to be shown.
func (s *session) converse(ctx context.Context, text string) string {
	var shown strings.Builder
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out, _ := s.Bash(ctx, command)
			shown.WriteString(line + out)
		}
	}
	return shown.String()
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// other runs a block in another language. It is left out if there is no program
// for it, or not what a Python block imports.
func (s *session) other(ctx context.Context, script, program string, args ...string) (leftOut bool, err error) {
	if !installed(program) {
		s.leftOut = append(s.leftOut, "there is no "+program+" here")
		return true, s.allowed()
	}
	out, err := s.Program(ctx, program, append(args, script)...)
	missing, lacks := lacking(out)
	switch {
	case err == nil:
		s.ran++
		return false, nil
	case lacks:
		s.leftOut = append(s.leftOut, program+": "+missing)
		return true, s.allowed()
	}
	return false, fmt.Errorf("%s%s%w", script, out, err)
}

// A Block is a piece of a page that is run: a fenced block marked sh, python,
// matlab, r or console checked; or a comment "setup", which makes files that stand
// for those of the reader. A block marked python and a path is not run: it shows
// that file of the repository.
type Block struct {
	Kind string
	Text string

	from, to int // of the text in the page
}

// File is the path of the file that the block shows, "" if it is run.
func (b Block) File() string {
	if path, ok := strings.CutPrefix(b.Kind, "python "); ok {
		return path
	}
	return ""
}

var runnable = regexp.MustCompile("(?ms)^```(sh|python(?: \\S+\\.py)?|matlab|r|console checked)\n(.*?)^```$|^<!-- (setup)\n(.*?)^-->$")

// Blocks returns the blocks of a page that are run, in order.
func Blocks(page string) []Block {
	var blocks []Block
	for _, m := range runnable.FindAllStringSubmatchIndex(page, -1) {
		if m[2] < 0 { // a comment
			m[2], m[3], m[4], m[5] = m[6], m[7], m[8], m[9]
		}
		blocks = append(blocks, Block{page[m[2]:m[3]], page[m[4]:m[5]], m[4], m[5]})
	}
	return blocks
}

var (
	times      = regexp.MustCompile(`\b(in|seconds":) ?\d+(\.\d+)?( (ms|s|min|h)\b)?`)
	longDigits = regexp.MustCompile(`(\d\.\d{5})\d+`)
)

// essence is what a run prints, without how long it took and without the digits
// that another machine may round differently.
func essence(text string) string {
	return longDigits.ReplaceAllString(times.ReplaceAllString(text, "$1 …"), "$1")
}
