package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// MarshalBinary returns the kernel to its last bit, for builds of the same source.
// It implements [encoding.BinaryMarshaler].
func (k Kernel) MarshalBinary() ([]byte, error) {
	family := ""
	if k.family != nil {
		family = k.family.Name
	}
	var out []byte
	for _, text := range []string{k.Name, family, string(k.by)} {
		out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
	}
	for _, numbers := range [][]float64{{k.ApproximationError, k.peak, k.member.scale, k.member.order}, k.series, k.coef, k.slope} {
		size := uint64(0) // of nil; others count from 1
		if numbers != nil {
			size = uint64(len(numbers)) + 1
		}
		var err error
		if out, err = binary.Append(binary.AppendUvarint(out, size), binary.LittleEndian, numbers); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. It implements
// [encoding.BinaryUnmarshaler].
func (k *Kernel) UnmarshalBinary(data []byte) error {
	in := bytes.NewReader(data)
	var texts [3]string
	for i := range texts {
		size, err := readSize(in, 1)
		if err != nil {
			return err
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(in, text); err != nil {
			return err
		}
		texts[i] = string(text)
	}
	var numbers [4][]float64
	for i := range numbers {
		size, err := readSize(in, 8)
		if err != nil {
			return err
		}
		if size == 0 {
			continue
		}
		numbers[i] = make([]float64, size-1)
		if err := binary.Read(in, binary.LittleEndian, numbers[i]); err != nil {
			return err
		}
	}
	head, family := numbers[0], find(texts[1])
	if len(head) != 4 || in.Len() > 0 || family == nil && texts[1] != "" {
		return fmt.Errorf("kernel.UnmarshalBinary: %d bytes that are no kernel", len(data))
	}
	*k = Kernel{
		Name: texts[0], ApproximationError: head[0], peak: head[1], member: member{head[2], head[3]},
		series: numbers[1], coef: numbers[2], slope: numbers[3], family: family, by: Approximation(texts[2]),
	}
	return nil
}

// readSize reads a length that there are bytes left for.
func readSize(in *bytes.Reader, each int) (int, error) {
	size, err := binary.ReadUvarint(in)
	if err == nil && size > uint64(in.Len()/each+1) {
		err = io.ErrUnexpectedEOF
	}
	return int(size), err
}
