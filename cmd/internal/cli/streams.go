package cli

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

	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/words"
)

// A console is where a command reads and writes.
type console struct {
	in  io.Reader
	out *outlet   // results
	err io.Writer // for people: progress, summaries, warnings, errors
}

// newConsole returns the console of streams.
func newConsole(in io.Reader, out, err io.Writer) console {
	return console{in, &outlet{w: out}, &messages{w: err}}
}

// say tells people a sentence.
func (c console) say(sentence string) { fmt.Fprintln(c.err, wrapped(sentence)) }

// note tells people what they may want to know.
func (c console) note(format string, args ...any) { c.say("note: " + fmt.Sprintf(format, args...)) }

// warn tells people what there is to doubt.
func (c console) warn(format string, args ...any) { c.say("warning: " + fmt.Sprintf(format, args...)) }

// wrote says which files were written, if any.
func (c console) wrote(files []string) {
	if len(files) > 0 {
		fmt.Fprintln(c.err, "wrote", strings.Join(files, ", "))
	}
}

// An outlet is standard output. That its reader has seen enough and left, as
// head does, is no error: what is still written goes nowhere. Any other error is
// kept, for not every writer passes it on.
type outlet struct {
	w    io.Writer
	left bool // the reader
	err  error
}

func (o *outlet) Write(b []byte) (int, error) {
	if o.left {
		return len(b), nil
	}
	n, err := o.w.Write(b)
	if err = ignoreReaderLeft(err); err != nil {
		o.err = fmt.Errorf("standard output cannot be written: %s", reason(err))
		return n, o.err
	}
	o.left = n < len(b)
	return len(b), nil
}

// ignoreReaderLeft drops the error of a single write to a reader that has left.
func ignoreReaderLeft(err error) error {
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
	if m, ok := w.(*messages); ok {
		return m.w
	}
	return w
}

// watched reports whether a stream is a terminal, so that somebody is looking.
func watched(stream any) bool {
	if w, ok := stream.(io.Writer); ok {
		stream = unguarded(w)
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// charset tells from the locale, as the C library does, what can be shown.
func charset(getenv func(string) string) figure.Charset {
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
