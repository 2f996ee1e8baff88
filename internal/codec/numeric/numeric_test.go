package numeric

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/nervure/nervure/internal/fuzzing"
)

// Go's own encoder is the other side.
func TestNumbersOfEveryTypeAreRead(t *testing.T) {
	for kind, all := range map[Kind][]any{
		Float:    {[]float64{1.5, -2, 0x1p-1074}, []float32{1.5, -2, 0x1p-149}},
		Signed:   {[]int64{7, -2, 1 << 40}, []int32{7, -2, 1 << 20}, []int16{7, -2, 1 << 12}, []int8{7, -2, -128}},
		Unsigned: {[]uint64{7, 2, 1 << 63}, []uint32{7, 2, 1 << 31}, []uint16{7, 2, 1 << 15}, []uint8{7, 2, 255}},
		Bool:     {[]uint8{0, 1, 1}},
	} {
		for _, values := range all {
			for _, order := range []interface {
				binary.ByteOrder
				binary.AppendByteOrder
			}{binary.LittleEndian, binary.BigEndian} {
				data, err := binary.Append(nil, order, values)
				if err != nil {
					t.Fatal(err)
				}
				got, err := Type{kind, len(data) / 3, order}.Read(bytes.NewReader(data), 3)
				if want := fuzzing.Floats(values); err != nil || !slices.Equal(got, want) {
					t.Errorf("%c of %d bytes, %v: got %v, %v, want %v", kind, len(data)/3, order, got, err, want)
				}
			}
		}
	}
	for _, unknown := range []Type{{Kind: 'c', Bytes: 16}, {Kind: Float, Bytes: 16}, {Kind: 'O'}, {}} {
		if unknown.Known() {
			t.Errorf("%+v is known", unknown)
		}
	}
}

func TestHalfPrecision(t *testing.T) {
	for bits, want := range map[uint16]float64{ // IEEE 754-2008, binary16
		0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: math.Ldexp(1, -14), 0x0001: math.Ldexp(1, -24), 0x3555: 0.333251953125, 0xfc00: math.Inf(-1),
	} {
		if got := half(bits); got != want {
			t.Errorf("%#04x: got %g, want %g", bits, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) {
		t.Error("0x7e00 is not NaN")
	}
}

func TestDataThatEndsEarlyIsCounted(t *testing.T) {
	bytes8 := Type{Kind: Float, Bytes: 8, Order: binary.LittleEndian}
	_, err := bytes8.Read(bytes.NewReader(make([]byte, 20)), 4)
	if e, ok := errors.AsType[*ShortError](err); !ok || *e != (ShortError{Read: 2, Want: 4}) {
		t.Errorf("got %v", err)
	}
	if _, err := bytes8.Read(iotest.ErrReader(io.ErrClosedPipe), 4); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v, want the error of the reader", err)
	}
	if values, err := bytes8.Read(bytes.NewReader(nil), 0); err != nil || len(values) != 0 {
		t.Errorf("no numbers: got %v, %v", values, err)
	}
}

func TestClaimsAllocateNothing(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Type{Kind: Float, Bytes: 8, Order: binary.LittleEndian}.Read(bytes.NewReader(make([]byte, 8)), 1<<28)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Fatal("2²⁸ numbers were read from 8 bytes")
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d bytes allocated for 8", got)
	}
}
