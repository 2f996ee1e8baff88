//go:build !js

package cluster

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/linalg"
)

// An identity is what the bytes of a result depend on besides its task.
type identity struct {
	Build      string `json:"build"`
	Arithmetic string `json:"arithmetic"`
}

// thisProgram is read once: it is hashed.
var thisProgram = sync.OnceValue(func() string { return build.This().String() })

func (l Link) identity() identity {
	if l.Build != "" {
		return identity{l.Build, linalg.Arithmetic()}
	}
	return identity{thisProgram(), linalg.Arithmetic()}
}

// key is short, and fit for subjects.
func (i identity) key() string { return digest(i)[:16] }

// difference says how a worker differs from a run, or nothing.
func (i identity) difference(run identity) string {
	switch {
	case i.Build != run.Build:
		return fmt.Sprintf("the worker is build %s, the run is of build %s: use the same program on all machines", cmp.Or(i.Build, "unknown"), cmp.Or(run.Build, "unknown"))
	case i.Arithmetic != run.Arithmetic:
		return fmt.Sprintf("the worker's processor has %s arithmetic, the run is of %s arithmetic, which rounds differently: use processors of one kind", i.Arithmetic, run.Arithmetic)
	}
	return ""
}

// A RefusedError says why a worker may not take part.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return "refused: " + e.Why }

// digest names a value by its content.
func digest(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of our own types, all of which can be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
