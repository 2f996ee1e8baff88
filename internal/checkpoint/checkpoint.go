// Package checkpoint lets a long run go on after its process has died.
//
// Runs of this module are deterministic: the same signals, options and seed give the
// same bits. So nothing of a running program has to be captured. A run is a tree of
// pieces, each with a place of its own, and what a piece came to is kept: see
// [Piece]. When the run is repeated, pieces that are known are not computed again, and
// the run comes quickly to where it was. A long loop keeps its own state as well, so
// that not even its rounds are repeated: see [Restore] and [Save].
//
// Whatever subset of the pieces a [Store] still has, the run ends with the same bits:
// a piece that was lost is computed again. What a finished piece consisted of is
// dropped, so that a store never has more than what is needed to go on.
//
// The store travels in the context: without one, all functions of this package do
// nothing but call what they are given. The subpackage disk has a store in a folder.
package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/nervure/nervure/internal/linalg"
)

// A Store keeps pieces of one run under their keys. It is used by several goroutines
// at a time.
type Store interface {
	// Load returns what was saved last under a key.
	Load(key string) (data []byte, ok bool)
	// Save keeps data, which it must not change. It may do so later, and in any order.
	Save(key string, data []byte)
	// Due reports whether it is worth the time to save the state of a loop now.
	Due() bool
	// Drop forgets all keys that begin so, but not before what was saved until now
	// is kept.
	Drop(prefix string)
}

// ErrUnreadable says that a store holds something else than what the run has put there.
var ErrUnreadable = errors.New("checkpoint: a piece of the run cannot be understood")

// A scope is where in a run a context is: pieces that begin there are numbered.
type scope struct {
	store Store
	path  string
	next  int
}

type scopeKey struct{}

func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(scopeKey{}).(*scope)
	return s
}

func (s *scope) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// With returns a context in which pieces of a run are kept in a store. Every run needs
// a context, and a store, of its own.
func With(ctx context.Context, store Store) context.Context {
	return (&scope{store: store}).within(ctx)
}

// begin returns the place of the next piece.
func (s *scope) begin(name string) *scope {
	s.next++
	return &scope{store: s.store, path: fmt.Sprintf("%s/%d.%s", s.path, s.next, name)}
}

// Without returns a context like ctx of whose work nothing is kept: work that would come
// out otherwise if the run were repeated.
func Without(ctx context.Context) context.Context { return (*scope)(nil).within(ctx) }

// Piece returns what work comes to, or what it came to before, if that is kept. code
// reads or writes a value, and with it all else that work changes. The pieces of a
// context must begin one after another, always in the same order.
//
// What ends with an error is not kept, nor is what ended after ctx, which may be less
// than it would have been.
func Piece[T any](ctx context.Context, name string, code func(*Coder, *T), work func(context.Context) (T, error)) (T, error) {
	outer := scopeOf(ctx)
	if outer == nil {
		return work(ctx)
	}
	s := outer.begin(name)
	var value T
	if data, ok := s.store.Load(s.path); ok {
		c := &Coder{data: data, reading: true}
		code(c, &value)
		return value, c.fault()
	}
	value, err := work(s.within(ctx))
	if err != nil || ctx.Err() != nil {
		return value, err
	}
	c := &Coder{}
	if code(c, &value); c.bad {
		return value, nil // not something that can be kept
	}
	s.store.Save(s.path, c.data)
	s.store.Drop(s.path + "/")
	s.store.Drop(s.path + stateMark)
	return value, nil
}

// stateMark comes after the place of a piece in the key of the state of its loop.
const stateMark = "#"

// Restore reads the state of the loop that the piece of ctx consists of, if one is
// kept, and reports whether it is. A piece has one such loop at most.
func Restore(ctx context.Context, code func(*Coder)) (bool, error) {
	s := scopeOf(ctx)
	if s == nil {
		return false, nil
	}
	data, ok := s.store.Load(s.path + stateMark)
	if !ok {
		return false, nil
	}
	c := &Coder{data: data, reading: true}
	c.Int(&s.next)
	code(c)
	return true, c.fault()
}

// Save keeps the state of the loop, if it is time to, and ctx has not ended: what it
// has come to may then be less than it would have been. It belongs to the head of the
// loop. The pieces of earlier rounds are dropped.
func Save(ctx context.Context, code func(*Coder)) {
	s := scopeOf(ctx)
	if s == nil || ctx.Err() != nil || !s.store.Due() {
		return
	}
	c := &Coder{}
	c.Int(&s.next)
	if code(c); c.bad {
		return
	}
	s.store.Save(s.path+stateMark, c.data)
	s.store.Drop(s.path + "/")
}

// Memory is a store that lasts as long as the process, and saves whenever it can. The
// zero value is empty.
type Memory struct {
	mu     sync.Mutex
	pieces map[string][]byte
}

// Load implements [Store].
func (m *Memory) Load(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.pieces[key]
	return data, ok
}

// Save implements [Store].
func (m *Memory) Save(key string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pieces == nil {
		m.pieces = map[string][]byte{}
	}
	m.pieces[key] = data
}

// Due implements [Store]: it always is.
func (m *Memory) Due() bool { return true }

// Drop implements [Store].
func (m *Memory) Drop(prefix string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.pieces {
		if strings.HasPrefix(key, prefix) {
			delete(m.pieces, key)
		}
	}
}

// Pieces returns all pieces by their keys.
func (m *Memory) Pieces() map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.pieces)
}

// Size returns how many pieces there are, and of how many bytes.
func (m *Memory) Size() (pieces, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, data := range m.pieces {
		bytes += len(data)
	}
	return len(m.pieces), bytes
}

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
