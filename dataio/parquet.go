package dataio

import (
	"errors"
	"io"
)

func decodeParquet(r io.Reader, o ReadOptions) (*Signals, error) { return nil, errors.New("soon") }
