package cli

import (
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/nervure/nervure/internal/words"
)

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
