package dataio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/nervure/nervure/internal/words"
)

// utf8Name is the encoding of text that needs no conversion.
const utf8Name = "utf-8"

// An encodingName is an encoding of text by one of its names.
type encodingName struct {
	name     string
	encoding encoding.Encoding // nil for UTF-8
}

// encodings are those that can be asked for. Those of one byte a character differ in nothing
// but names and remarks: numbers are ASCII in all of them.
var encodings = []encodingName{
	{utf8Name, nil},
	{"utf-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
	{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"windows-1252", charmap.Windows1252},
	{"latin-1", charmap.ISO8859_1},
	{"latin-2", charmap.ISO8859_2},
	{"latin-9", charmap.ISO8859_15},
	{"windows-1250", charmap.Windows1250},
	{"windows-1251", charmap.Windows1251},
	{"windows-1253", charmap.Windows1253},
	{"windows-1254", charmap.Windows1254},
	{"koi8-r", charmap.KOI8R},
	{"mac-roman", charmap.Macintosh},
	{"cp437", charmap.CodePage437},
	{"cp850", charmap.CodePage850},
}

// Encodings lists the encodings of text that can be asked for.
func Encodings() []string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.name)
	}
	return names
}

// CheckEncoding refuses an encoding that is not known; none is one.
func CheckEncoding(name string) error {
	if _, ok := findEncoding(name); name != "" && !ok {
		return fault("want %s", words.List(Encodings(), "or"))
	}
	return nil
}

// findEncoding finds an encoding by its name, in any case and with or without its hyphens, or
// by another usual one.
func findEncoding(name string) (encodingName, bool) {
	plain := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
	}
	asked := plain(name)
	for other, usual := range map[string]string{
		"iso88591": "latin1", "iso88592": "latin2", "iso885915": "latin9", "cp1252": "windows1252", "cp1250": "windows1250",
		"cp1251": "windows1251", "cp1253": "windows1253", "cp1254": "windows1254", "utf8sig": "utf8",
		"ansi": "windows1252", "macintosh": "macroman", "ascii": "utf8",
	} {
		if asked == other {
			asked = usual
		}
	}
	k := slices.IndexFunc(encodings, func(e encodingName) bool { return plain(e.name) == asked })
	if k < 0 {
		return encodingName{}, false
	}
	return encodings[k], true
}

// decoded returns a text in UTF-8. An encoding that was not asked for is told by how the text
// starts, if that leaves no doubt; found is then its name.
func decoded(b *bufio.Reader, asked string) (text *bufio.Reader, found string, err error) {
	name := asked
	if name == "" {
		start, _ := b.Peek(inputBuffer / 2)
		if name = utf16In(start); name == "" {
			return b, "", nil
		}
		found = name
	}
	e, ok := findEncoding(name)
	if !ok {
		return nil, "", fault("encoding %s: %s", quote(name), CheckEncoding(name))
	}
	if e.encoding == nil {
		return b, "", nil
	}
	return bufio.NewReaderSize(transform.NewReader(b, e.encoding.NewDecoder()), inputBuffer), found, nil
}

// utf16In returns the name of the UTF-16 that a text starts in, empty if it does not. Without a
// byte order mark, every other byte of a table is zero but for those of rare names.
func utf16In(start []byte) string {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return "utf-16"
	}
	const fewest, rare = 8, 4 // bytes, and one in how many characters may be no ASCII
	pairs := len(start) / 2
	if len(start) < fewest {
		return ""
	}
	var zero [2]int
	for k := range 2 * pairs {
		if start[k] == 0 {
			zero[k%2]++
		}
	}
	switch {
	case zero[0] == 0 && zero[1] >= pairs-pairs/rare:
		return "utf-16le"
	case zero[1] == 0 && zero[0] >= pairs-pairs/rare:
		return "utf-16be"
	}
	return ""
}

// fromWindows1252 reads a line that is no UTF-8; ok is false if it is no Windows-1252 either.
// Latin-1 is the same but for a few marks.
func fromWindows1252(line []byte) (text []byte, ok bool) {
	if slices.ContainsFunc(line, func(c byte) bool {
		return c == 0x81 || c == 0x8d || c == 0x8f || c == 0x90 || c == 0x9d
	}) {
		return nil, false
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(line)
	return text, err == nil
}

// isASCII reports whether a text is nothing but ASCII.
func isASCII(text []byte) bool {
	const high = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
