package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"slices"

	"github.com/nervure/nervure/internal/durable"
)

// The file of a piece of a [Checkpoint] has the magic, the hash of the run, the length
// of the key, the key, the data, and the hash of all that.

// pieceExtension is that of the files with pieces.
const pieceExtension = ".piece"

var pieceMagic = []byte("nervure piece 1\n")

// pieceName is the file of a key.
func pieceName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16]) + pieceExtension
}

// write writes the file of a piece.
func (c *Checkpoint) write(key string, data []byte) error {
	return durable.WriteFile(c.path(pieceName(key)), func(w io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(w, sum)
		for _, part := range [][]byte{pieceMagic, c.run[:], binary.LittleEndian.AppendUint64(nil, uint64(len(key))), []byte(key), data} {
			if _, err := both.Write(part); err != nil {
				return err
			}
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}

// read reads the file of a piece.
func (c *Checkpoint) read(name string) (key string, data []byte, err error) {
	file, err := os.ReadFile(c.path(name))
	if err != nil {
		return "", nil, c.fault("this checkpoint cannot be read: %s", durable.Reason(err))
	}
	body, sum := file[:max(len(file)-sha256.Size, 0)], file[max(len(file)-sha256.Size, 0):]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return "", nil, c.damaged(name)
	}
	rest, ok := bytes.CutPrefix(body, append(slices.Clone(pieceMagic), c.run[:]...))
	if !ok || len(rest) < 8 {
		return "", nil, c.damaged(name)
	}
	size := binary.LittleEndian.Uint64(rest)
	if rest = rest[8:]; size > uint64(len(rest)) || pieceName(string(rest[:size])) != name {
		return "", nil, c.damaged(name)
	}
	return string(rest[:size]), rest[size:], nil
}
