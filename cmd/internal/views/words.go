package views

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/internal/words"
)

// Plural returns a number and its noun.
func Plural(n int, noun string) string { return words.Plural(n, noun) }

func percent(share float64) string { return words.Percent(share) }

// spelled returns the name of a method, with what it stands for if that has not been said.
func spelled(name string, first bool) string {
	if e, known := nervure.MethodByName(name); known && first {
		return e.Spelled()
	}
	return name
}

// Wrapped breaks a sentence into lines of at most 80 columns, those after the
// first indented.
func Wrapped(sentence string) string { return filled("", sentence, 2) }

// Paragraph breaks a text into lines of at most 80 columns.
func Paragraph(text string) string { return filled("", text, 0) }

// hanging returns a sentence after a head, broken into lines of at most 80
// columns that begin where the first one does.
func hanging(head, sentence string) string {
	return filled(head, sentence, utf8.RuneCountInString(head))
}

// filled breaks a text after a head into lines of at most 80 columns, those after the first
// indented.
func filled(head, text string, indent int) string {
	var b strings.Builder
	b.WriteString(head)
	width := utf8.RuneCountInString(head)
	for i, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+w > Columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			width = indent
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += w
	}
	return b.String()
}

// Program is how to call this program in a shell, so that the commands we print
// work where they are read.
func Program() string {
	if len(os.Args) == 0 {
		return "nervure"
	}
	called := os.Args[0]
	if strings.Contains(filepath.ToSlash(called), "/go-build") { // by go run, from the source
		return "go run ./cmd/nervure"
	}
	if !strings.ContainsRune(called, filepath.Separator) {
		return called
	}
	// A path was typed, unless the shell found the program by its name.
	base := filepath.Base(called)
	if found, err := exec.LookPath(base); err == nil {
		byName, errName := os.Stat(found)
		byPath, errPath := os.Stat(called)
		if errName == nil && errPath == nil && os.SameFile(byName, byPath) {
			return base
		}
	}
	return arguments.Quoted(called)
}
