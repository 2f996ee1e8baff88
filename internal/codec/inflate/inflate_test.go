package inflate

import (
	"errors"
	"io"
	"testing"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestDataMayGrowByTheRatioAndNoFurther(t *testing.T) {
	const size = freely + Ratio<<10
	for compressed, want := range map[int64]error{size / Ratio: nil, size/Ratio - 1: ErrRatio} {
		n, err := io.Copy(io.Discard, NewReader(io.LimitReader(zeros{}, size), func() int64 { return compressed }))
		if !errors.Is(err, want) || err == nil && n != size {
			t.Errorf("%d bytes out of %d: got %d and %v, want %v", size, compressed, n, err, want)
		}
	}
}

func TestLittleDataMayGrowFreely(t *testing.T) {
	if n, err := io.Copy(io.Discard, NewReader(io.LimitReader(zeros{}, freely), func() int64 { return 1 })); n != freely || err != nil {
		t.Errorf("got %d bytes and %v, want %d", n, err, freely)
	}
}
