package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/nervure/nervure/internal/linalg"
)

// A Sharer is a store whose run has parts of its work done elsewhere.
type Sharer interface {
	Store
	// Share is told that that many parts of the work at a place are to be done. It may
	// have some of them done by [DoPart], and save what comes of them. Those that are
	// not there when it returns are done here.
	Share(ctx context.Context, place string, count int)
}

// EachPart does the parts of the next piece of work, some at a time, each in a context
// of its own. What a part comes to is to be a [Piece] of that context.
func EachPart(ctx context.Context, name string, threads, count int, do func(ctx context.Context, k int)) {
	ctx = group(ctx, name)
	if s := scopeOf(ctx); s != nil {
		if only, ok := s.store.(*onePart); ok && only.place == s.path {
			do(part(ctx, only.part), only.part)
			only.stop(errPartDone)
			return
		}
		if sharer, ok := s.store.(Sharer); ok {
			sharer.Share(ctx, s.path, count)
		}
	}
	linalg.ForEach(threads, count, func(_, k int) { do(part(ctx, k), k) })
}

// group returns a context for the parts of the next piece of work.
func group(ctx context.Context, name string) context.Context {
	if s := scopeOf(ctx); s != nil {
		return s.begin(name).within(ctx)
	}
	return ctx
}

// part returns a context for part k of the work. Parts, unlike pieces, may be worked on
// in any order, and at the same time.
func part(ctx context.Context, k int) context.Context {
	if s := scopeOf(ctx); s != nil {
		return (&scope{store: s.store, path: partPlace(s.path, k)}).within(ctx)
	}
	return ctx
}

func partPlace(place string, k int) string { return fmt.Sprintf("%s/part-%d", place, k) }

// OfPart returns those of some pieces that are of part k of the work at a place.
func OfPart(pieces map[string][]byte, place string, k int) map[string][]byte {
	own := maps.Clone(pieces)
	maps.DeleteFunc(own, func(key string, _ []byte) bool { return !strings.HasPrefix(key, partPlace(place, k)+"/") })
	return own
}

// A onePart is the store of a run that does only one part of the work at a place.
type onePart struct {
	Memory

	place string
	part  int
	stop  context.CancelCauseFunc
}

var errPartDone = errors.New("checkpoint: the part is done")

// DoPart does part k of the work at a place: it repeats a run, whose pieces until then
// are known, does that part, and stops. It returns the pieces of the part.
func DoPart(ctx context.Context, known map[string][]byte, place string, k int, run func(context.Context) error) (map[string][]byte, error) {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	store := &onePart{Memory: Memory{pieces: maps.Clone(known)}, place: place, part: k, stop: stop}
	err := run(With(inner, store))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(context.Cause(inner), errPartDone):
		return OfPart(store.Pieces(), place, k), nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("checkpoint: the run has no work at %s", place)
}
