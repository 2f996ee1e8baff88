package cli

import (
	"errors"
	"fmt"
	"io"
	"syscall"
)

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
