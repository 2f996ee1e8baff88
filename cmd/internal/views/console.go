// Package views is all that people and programs are shown: sentences, tables, progress,
// events, helps, man pages and how a run ended.
package views

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/faults"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/words"
)

// A Console is where a command writes.
type Console struct {
	Out *outlet   // results
	Err io.Writer // for people: progress, summaries, warnings, errors

	Case *faults.Case // what is known of the run, should the program have a fault
}

// NewConsole returns the console of streams.
func NewConsole(out, err io.Writer) Console {
	return Console{&outlet{w: out}, &messages{w: err}, &faults.Case{}}
}

// Say tells people a sentence.
func (c Console) Say(sentence string) { fmt.Fprintln(c.Err, Wrapped(sentence)) }

// Note tells people what they may want to know.
func (c Console) Note(format string, args ...any) { c.Say("note: " + fmt.Sprintf(format, args...)) }

// Warn tells people what there is to doubt.
func (c Console) Warn(format string, args ...any) {
	printHead(c.Err, yellow, "warning:", Wrapped("warning: "+fmt.Sprintf(format, args...)))
}

// Wrote says which files were written, if any.
func (c Console) Wrote(files []string) {
	if len(files) > 0 {
		fmt.Fprintln(c.Err, "wrote", strings.Join(files, ", "))
	}
}

// An outlet is standard output. That its reader has seen enough and left, as
// head does, is no error: what is still written goes nowhere. Any other error is
// kept, for not every writer passes it on.
type outlet struct {
	w    io.Writer
	Left bool // the reader
	Err  error
}

func (o *outlet) Write(b []byte) (int, error) {
	if o.Left {
		return len(b), nil
	}
	n, err := o.w.Write(b)
	if err = IgnoreReaderLeft(err); err != nil {
		o.Err = fmt.Errorf("standard output cannot be written: %s", arguments.Reason(err))
		return n, o.Err
	}
	o.Left = n < len(b)
	return len(b), nil
}

// IgnoreReaderLeft drops the error of a single write to a reader that has left.
func IgnoreReaderLeft(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// messages is standard error. All that people are told passes through here, and much of
// it cites files: what would steer a terminal is made visible.
type messages struct {
	w    io.Writer
	mu   sync.Mutex
	half []byte // of a character, at the end of the last write
}

func (m *messages) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text := slices.Concat(m.half, b)
	end := len(text)
	for k := max(end-utf8.UTFMax+1, 0); k < end; k++ {
		if utf8.RuneStart(text[k]) && !utf8.FullRune(text[k:]) {
			end = k
		}
	}
	m.half = slices.Clone(text[end:])
	if _, err := m.w.Write([]byte(words.Visible(string(text[:end])))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// unguarded is the stream itself, for lines that are written over, and for JSON.
func unguarded(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *messages:
		return w.w
	case *outlet:
		return w.w
	}
	return w
}

// Watched reports whether a stream is a terminal, so that somebody is looking.
func Watched(stream any) bool {
	if w, ok := stream.(io.Writer); ok {
		stream = unguarded(w)
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Charset tells from the locale, as the C library does, what can be shown.
func Charset(getenv func(string) string) figure.Charset {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(getenv(name)); locale != "" {
			if strings.Contains(locale, "UTF-8") || strings.Contains(locale, "UTF8") {
				return figure.Unicode
			}
			return figure.ASCII
		}
	}
	return figure.ASCII
}
