package nervure

import (
	"fmt"
	"runtime"

	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
)

// An Identity says what the bits of a run depend on, part by part.
type Identity = checkpoint.Identity

// RunIdentity returns what the result of [Learn] depends on, to the last bit: a run that
// was broken off can go on if this is the same; see [dataio.OpenCheckpoint]. The number of
// threads has no part in it. Signals or options that cannot be used are an *input.Error.
func RunIdentity(s *Signals, o Options) (Identity, error) {
	o, err := o.resolve(s)
	if err != nil {
		return Identity{}, err
	}
	var times []int64
	for _, t := range s.Times {
		times = append(times, t.UnixNano())
	}
	program := build.Read()
	id := checkpoint.Identity{
		Signals:    checkpoint.Fingerprint(s.Y.RawMatrix(), s.Names, times, s.Dropped, s.Notes),
		Seed:       o.Seed,
		Build:      fmt.Sprintf("%s %s %t", program.Version, program.Revision, program.Modified),
		Arithmetic: runtime.GOARCH + " " + linalg.Arithmetic(),
	}
	o.Seed, o.Threads, o.TimeLimit = 0, 0, 0 // more time may be allowed when it goes on
	id.Options = checkpoint.Fingerprint(o)
	return id, nil
}
