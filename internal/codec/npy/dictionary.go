package npy

import "strings"

// dictionary splits a Python dictionary into its values as they are written, by key. The
// keys are strings; the values are strings, words, and lists and tuples, whose brackets
// must match. A key that is given twice has the last value, as in Python.
func dictionary(text string) (values map[string]string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\n"), "{")
	if !ok {
		return nil, false
	}
	values = map[string]string{}
	for {
		rest = strings.TrimLeft(rest, blanks)
		if end, ok := strings.CutPrefix(rest, "}"); ok {
			return values, strings.Trim(end, blanks) == ""
		}
		key, after, ok := value(rest)
		if !ok || key[0] != '\'' && key[0] != '"' {
			return nil, false
		}
		if rest, ok = strings.CutPrefix(strings.TrimLeft(after, blanks), ":"); !ok {
			return nil, false
		}
		one, after, ok := value(strings.TrimLeft(rest, blanks))
		if !ok {
			return nil, false
		}
		values[key[1:len(key)-1]] = one
		rest = strings.TrimLeft(after, blanks)
		if next, ok := strings.CutPrefix(rest, ","); ok {
			rest = next
		} else if !strings.HasPrefix(rest, "}") {
			return nil, false
		}
	}
}

const blanks = " \t\n\r\f"

// opens is the bracket that one closes.
var opens = map[byte]byte{')': '(', ']': '['}

// value splits the text after its first value.
func value(text string) (one, rest string, ok bool) {
	var open []byte // brackets that are not closed yet
	for at := 0; at < len(text); at++ {
		switch c := text[at]; c {
		case '\'', '"':
			length := strings.IndexByte(text[at+1:], c)
			if length < 0 || strings.ContainsAny(text[at+1:at+1+length], "\\\n") { // no type has these
				return "", "", false
			}
			at += length + 1
		case '(', '[':
			open = append(open, c)
			continue
		case ')', ']':
			if len(open) == 0 || open[len(open)-1] != opens[c] {
				return "", "", false
			}
			open = open[:len(open)-1]
		default:
			if len(open) > 0 {
				continue
			}
			end := strings.IndexFunc(text[at:], func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' })
			if end <= 0 {
				return "", "", false
			}
			at += end - 1
		}
		if len(open) == 0 {
			return text[:at+1], text[at+1:], true
		}
	}
	return "", "", false
}
