package checkpoint_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nervure/nervure/internal/checkpoint"
)

// A partedRun is a piece, three parts that depend on it, and their sum. It counts what
// is computed.
type partedRun struct{ pieces, parts atomic.Int32 }

func (r *partedRun) run(ctx context.Context) (int, error) {
	first, err := checkpoint.Piece(ctx, "first", codeInt, func(context.Context) (int, error) {
		r.pieces.Add(1)
		return 7, nil
	})
	if err != nil {
		return 0, err
	}
	values := make([]int, 3)
	checkpoint.EachPart(ctx, "parts", 2, 3, func(ctx context.Context, k int) {
		values[k], _ = checkpoint.Piece(ctx, "part", codeInt, func(context.Context) (int, error) {
			r.parts.Add(1)
			return first * (k + 1), nil
		})
	})
	return values[0] + values[1] + values[2], ctx.Err()
}

const wantSum = 7 + 14 + 21

func TestPartsAreKept(t *testing.T) {
	store, r := &checkpoint.Memory{}, &partedRun{}
	for range 2 {
		if got, err := r.run(checkpoint.With(t.Context(), store)); got != wantSum || err != nil {
			t.Errorf("got %d, %v", got, err)
		}
	}
	if r.pieces.Load() != 1 || r.parts.Load() != 3 {
		t.Errorf("%d pieces and %d parts were computed, want 1 and 3", r.pieces.Load(), r.parts.Load())
	}
	if got, err := r.run(t.Context()); got != wantSum || err != nil {
		t.Errorf("without a store: got %d, %v", got, err)
	}
}

// A sharer has all parts but the last done by another run.
type sharer struct {
	checkpoint.Memory
	t         *testing.T
	elsewhere partedRun
}

func (s *sharer) Share(ctx context.Context, place string, count int) {
	for k := range count - 1 {
		pieces, err := checkpoint.DoPart(ctx, s.Pieces(), place, k, func(ctx context.Context) error {
			_, err := s.elsewhere.run(ctx)
			return err
		})
		if err != nil || len(pieces) != 1 {
			s.t.Errorf("part %d: %d pieces, %v", k, len(pieces), err)
		}
		for key, data := range pieces {
			s.Save(key, data)
		}
	}
}

func TestPartsAreSharedOut(t *testing.T) {
	store, here := &sharer{t: t}, &partedRun{}
	if got, err := here.run(checkpoint.With(t.Context(), store)); got != wantSum || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	if here.parts.Load() != 1 || store.elsewhere.parts.Load() != 2 || store.elsewhere.pieces.Load() != 0 {
		t.Errorf(
			"%d parts here, %d elsewhere, and %d pieces again",
			here.parts.Load(),
			store.elsewhere.parts.Load(),
			store.elsewhere.pieces.Load(),
		)
	}
}

func TestAPartThatIsNotThere(t *testing.T) {
	r := &partedRun{}
	run := func(ctx context.Context) error {
		_, err := r.run(ctx)
		return err
	}
	if _, err := checkpoint.DoPart(t.Context(), nil, "/9.nowhere", 0, run); err == nil ||
		!strings.Contains(err.Error(), "no work at /9.nowhere") {
		t.Errorf("error %v", err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	stop(cause)
	if _, err := checkpoint.DoPart(ctx, nil, "/2.parts", 0, run); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}
