package dataio

import (
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/words"
)

// fault is an input.Error about a file as a whole. Decoders leave the file's
// name to inFile. What it cites of the file cannot steer a terminal, and does not fill it.
func fault(format string, args ...any) *input.Error {
	return &input.Error{Msg: brief(words.Visible(fmt.Sprintf(format, args...)))}
}

// brief leaves out the middle of a text that is too long for a sentence, because something
// in the file that it cites is: what is wrong stands before it, and how to mend it behind.
func brief(text string) string {
	const most, end = 600, 200 // characters
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most-end]) + "…" + string(letters[len(letters)-end:])
}

// faultAt is an input.Error at a line, and at a column of it unless that is 0.
func faultAt(line, column int, format string, args ...any) *input.Error {
	return &input.Error{Line: line, Column: column, Msg: place(line, column) + ": " + fault(format, args...).Msg}
}

func place(line, column int) string {
	if column == 0 {
		return "line " + strconv.Itoa(line)
	}
	return fmt.Sprintf("line %d, column %d", line, column)
}

// inFile gives err the name of the file it is about. An error that is not yet
// an input.Error came from reading, and is put into words.
func inFile(file string, err error) error {
	if err == nil {
		return nil
	}
	if e := input.Find(inflateFault(err)); e != nil {
		if e.File == "" {
			e.File = file
		}
		return e
	}
	e := fault("cannot be read: %s", durable.Reason(err))
	if damaged(err) {
		e = fault("the compressed data is damaged or cut short: copy or compress the file again")
	}
	e.File, e.Err = file, err
	return e
}

// inSentence puts an error of a codec into words, if it is one of those that have a sentence; others stay.
func inSentence(err error, sentences map[error]string) error {
	for known, sentence := range sentences {
		if errors.Is(err, known) {
			return fault("%s", sentence)
		}
	}
	return err
}

// refusedBy gives a fault of what was to be written the name of the function that
// refuses it. Other errors came from writing, and stay.
func refusedBy(op string, err error) error {
	if e := input.Find(err); e != nil {
		e.Op = op
	}
	return err
}

// aboutFile makes what signals are refused for a fault of the file that they are from.
func aboutFile(err error) error {
	if e := input.Find(err); e != nil {
		return &input.Error{File: e.File, Msg: e.Fault()}
	}
	return err
}

// inPart says in which part of a file, such as a variable, something is wrong.
func inPart(what, name string, err error) error {
	if e := input.Find(err); e != nil {
		e.Msg = what + " " + quote(name) + ": " + e.Msg
	}
	return err
}

func damaged(err error) bool {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	for _, known := range []error{
		gzip.ErrHeader, gzip.ErrChecksum, zlib.ErrHeader, zlib.ErrChecksum, zlib.ErrDictionary,
		zip.ErrFormat, zip.ErrAlgorithm, zip.ErrChecksum, io.ErrUnexpectedEOF,
	} {
		corrupt = corrupt || errors.Is(err, known)
	}
	return corrupt
}

// quote shows a piece of the user's text, not too much of it.
func quote(s string) string {
	if utf8.RuneCountInString(s) > mostQuoted {
		s = string([]rune(s)[:mostQuoted]) + "…"
	}
	return strconv.Quote(s)
}

// mostQuoted is how many characters of a text from a file are shown.
const mostQuoted = 40

// plainly returns a name for a place where names have no quotes, unless this one needs
// them: it is long, or has characters that are not seen or end the line.
func plainly(name string) string {
	if quoted := quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
