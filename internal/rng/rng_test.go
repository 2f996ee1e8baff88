package rng

import "testing"

func TestStreamDependsOnEveryArgument(t *testing.T) {
	first := Stream(1, "signals", 2).Uint64()
	if again := Stream(1, "signals", 2).Uint64(); again != first {
		t.Fatalf("the same stream gave %d, then %d", first, again)
	}
	seen := map[uint64]string{first: "seed 1, signals, 2"}
	for name, draw := range map[string]uint64{
		"another seed":           Stream(2, "signals", 2).Uint64(),
		"another name":           Stream(1, "noise", 2).Uint64(),
		"another index":          Stream(1, "signals", 3).Uint64(),
		"no index":               Stream(1, "signals").Uint64(),
		"one more index":         Stream(1, "signals", 2, 0).Uint64(),
		"name swallowing digits": Stream(1, "signals\x02").Uint64(),
	} {
		if other, taken := seen[draw]; taken {
			t.Errorf("%s gives the same stream as %s", name, other)
		}
		seen[draw] = name
	}
}
