package document

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// largestSummary bounds what is read, in bytes.
const largestSummary = 64 << 20

// ReadSummary reads a summary by its content. It returns nil, and no error, if
// the text is something else, such as a graph in JSON or an edge list.
func ReadSummary(r io.Reader) (*Summary, error) {
	b := bufio.NewReader(io.LimitReader(r, largestSummary))
	if begin, _ := b.Peek(512); !bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n"), []byte("{")) {
		return nil, nil
	}
	text, err := io.ReadAll(b)
	if err != nil {
		return nil, err
	}
	var kind struct {
		Method *string         `json:"method"`
		Nodes  json.RawMessage `json:"nodes"` // which a graph has, and a summary does not
	}
	if err := json.Unmarshal(text, &kind); kind.Method == nil || kind.Nodes != nil {
		return nil, nil // nor is text that is no JSON at all
	} else if err != nil {
		return nil, Unreadable("summary", err)
	}
	s := &Summary{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, Unreadable("summary", err)
	}
	return s, nil
}

// Unreadable says what is wrong with a document, without the types of Go.
func Unreadable(what string, err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("this %s cannot be read: the value of %q has the wrong type, %s", what, e.Field, e.Value)
	}
	return fmt.Errorf("this %s cannot be read: %w", what, err)
}
