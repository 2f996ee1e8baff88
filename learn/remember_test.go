package learn_test

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// killedCases are digest cases that go most of the ways a run can go.
var killedCases = []string{
	"exact, maretic2017", "few signals", "weights of many sizes", "missing, large", "noisy, large", "dense, prior and noise", "kernels auto, other scales", "kernels scaled, noisy",
}

// A mortal store ends the run at one of its saves.
type mortal struct {
	checkpoint.Memory
	left  int // saves until then
	saves int
}

// died is what a run ends with.
type died struct{}

func (m *mortal) Save(key string, data []byte) {
	if m.saves++; m.left == 0 {
		panic(died{})
	}
	m.left--
	m.Memory.Save(key, data)
}

// runDying runs a method in as many processes as it takes: each lives for as many saves
// as life says. It counts the deaths.
func runDying(life func() int, deaths *int) func(context.Context, runner) (*learn.Result, error) {
	return func(ctx context.Context, run runner) (*learn.Result, error) {
		store := &mortal{}
		for {
			store.left = life()
			r, err, alive := untilDeath(checkpoint.With(ctx, store), run)
			if alive {
				return r, err
			}
			*deaths++
		}
	}
}

func untilDeath(ctx context.Context, run runner) (r *learn.Result, err error, alive bool) { //nolint:revive // whether it lives comes last
	defer func() {
		switch fault := recover().(type) {
		case nil, died:
		default:
			panic(fault)
		}
	}()
	r, err = run(ctx)
	return r, err, true
}

// Killed at any moments and begun again, a run ends with the same bits.
func TestRunsThatDieEndWithTheSameBits(t *testing.T) {
	slow(t)
	random := rng.Stream(*seed, "deaths")
	arithmetic, recorded := readDigests(t)
	for _, c := range digestCases() {
		if !slices.Contains(killedCases, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			want := recorded[c.name]
			if arithmetic != runtime.GOARCH {
				want = c.answer(t)
			}
			deaths := 0
			runAs = runDying(func() int { return 2 + random.IntN(4*(deaths+1)) }, &deaths)
			defer func() { runAs = runOnce }()
			got := c.answer(t)
			for _, part := range slices.Sorted(maps.Keys(want)) {
				if got[part] != want[part] {
					t.Errorf("after %d deaths: the %s differ", deaths, part)
				}
			}
			t.Logf("%d deaths", deaths)
		})
	}
}

// What is kept is what it takes to go on, however long the run.
func TestWhatIsKeptIsBounded(t *testing.T) {
	slow(t)
	y := digestTruth(120, 0.3).Signals
	store := &checkpoint.Memory{}
	most := 0
	for range learn.Steps(checkpoint.With(t.Context(), store), y, learn.Model{}, learn.Options{}) {
		_, bytes := store.Size()
		most = max(most, bytes)
	}
	pieces, bytes := store.Size()
	if pieces != 1 {
		t.Errorf("%d pieces are kept of a run that is over, want its answer alone", pieces)
	}
	n, m := y.Dims()
	if limit := 100 * 8 * n * m; most > limit || bytes > limit {
		t.Errorf("up to %d bytes were kept, and %d at the end, want at most %d", most, bytes, limit)
	}
	t.Logf("up to %d bytes, in the end %d, of %d bytes of signals", most, bytes, 8*n*m)
}

// A run that was stopped is not kept as if it had ended by itself.
func TestStoppedRunsGoOn(t *testing.T) {
	slow(t)
	y := digestTruth(120, 0.3).Signals
	want := digestResult(fit(t, y, learn.Model{}, learn.Options{}))
	store := &checkpoint.Memory{}
	for at := 1; ; at *= 3 {
		ctx, cancel := context.WithCancel(checkpoint.With(t.Context(), store))
		var result *learn.Result
		steps := 0
		for step := range learn.Steps(ctx, y, learn.Model{}, learn.Options{}) {
			result = step.Result
			if steps++; steps == at {
				cancel()
			}
		}
		stopped := ctx.Err() != nil
		if cancel(); stopped {
			continue
		}
		if got := digestResult(result); !maps.Equal(got, want) {
			t.Error("a run that was stopped and begun again ends otherwise")
		}
		return
	}
}
