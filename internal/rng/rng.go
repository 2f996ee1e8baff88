// Package rng derives independent, named random streams from one seed, so that
// a result depends on its seed alone and never on scheduling or call order.
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Stream returns the generator called name, with optional indices (trial,
// start, …). The same arguments always give the same stream, on any machine;
// different arguments give unrelated ones.
func Stream(seed uint64, name string, index ...int) *rand.Rand {
	key := binary.LittleEndian.AppendUint64(nil, seed)
	key = binary.LittleEndian.AppendUint64(key, uint64(len(name)))
	key = append(key, name...)
	for _, i := range index {
		key = binary.LittleEndian.AppendUint64(key, uint64(i))
	}
	return rand.New(rand.NewChaCha8(sha256.Sum256(key)))
}
