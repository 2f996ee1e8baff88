package assess

import (
	"strings"
	"testing"
)

// contender has gains about a mean: they alternate, so that the error of the mean is
// spread/√20.
func contender(name string, edges int, gain, spread float64) Contender {
	h := &HeldOut{Edges: float64(edges)}
	for k := range 20 {
		h.Gain = append(h.Gain, gain+spread*float64(1-2*(k%2)))
	}
	return Contender{Name: name, Edges: edges, HeldOut: h}
}

// The rule names what is behind the sentence, and is all that programs go by.
func TestRankNamesItsRule(t *testing.T) {
	a, b, proven, direct, owner := contender("a", 30, 5, 0.1), contender("b", 90, 5.1, 0.1), contender("c", 9, -1, 0.1), contender("d", 9, 3, 0.1), contender("e", 9, 1, 0.1)
	proven.Certified, direct.Direct = true, true
	owner.HeldOut.ModelGain = contender("", 0, 9, 0.1).HeldOut.Gain
	for _, c := range []struct {
		list     []Contender
		favoured string
		want     Rule
	}{
		{[]Contender{a, b, proven, direct, owner}, "a", ByProof},
		{[]Contender{a, b, direct, owner}, "a", ByLearn},
		{[]Contender{a, b, direct, owner}, "", ByOwnModel},
		{[]Contender{a, b, direct}, "", ByDirect},
		{[]Contender{a, b}, "", ByFewEdges},
		{[]Contender{contender("c", 9, -1, 0.1)}, "", ByNothing},
		{nil, "", ByNothing},
	} {
		if r := Rank(c.list, Favoured{c.favoured, "learn does"}); r.Rule != c.want {
			t.Errorf("%q because %s: got %q, want %q", r.Recommended, r.Because, r.Rule, c.want)
		}
	}
	for _, p := range Rank([]Contender{a, direct}, Favoured{}).Places {
		if want := ShareNeeded(p.Name == "d"); p.Needs != want {
			t.Errorf("%s needs %g, want %g", p.Name, p.Needs, want)
		}
	}
}

func TestRankRecommends(t *testing.T) {
	proven := contender("proven", 50, -3, 0.1)
	proven.Certified = true
	owner := func(gain float64) Contender {
		c := contender("owner", 50, 1, 0.1)
		c.HeldOut.ModelGain = contender("", 0, gain, 0.1).HeldOut.Gain
		return c
	}
	direct := func(gain float64) Contender {
		c := contender("direct", 40, gain, 0.1)
		c.Direct = true
		return c
	}
	laborious := contender("laborious", 30, 9.5, 0.1)
	laborious.Iterations = 12
	fickle := contender("fickle", 10, 9.9, 0.1)
	fickle.HeldOut.Edges = 90
	opposite := contender("opposite", 31, 9.6, 0)
	for k := range opposite.HeldOut.Gain {
		opposite.HeldOut.Gain[k] = 9.6 - float64(1-2*(k%2)) // against sparse's, within an error of it
	}
	for name, c := range map[string]struct {
		list []Contender
		want string
		says string

		favoured Favoured
	}{
		"the sparsest that is adequate":           {[]Contender{contender("dense", 90, 10, 0.1), contender("sparse", 30, 9.5, 0.1), contender("poor", 20, 8, 0.1)}, "sparse", "keep 95%", Favoured{}},
		"direct edges that gain half":             {[]Contender{contender("dense", 90, 10, 0.1), contender("sparse", 30, 9.5, 0.1), direct(5.1)}, "direct", "keep 51% of the best held-out gain (dense, with 90 edges), and it keeps only edges between", Favoured{}},
		"not direct edges that gain less":         {[]Contender{contender("dense", 90, 10, 0.1), contender("sparse", 30, 9.5, 0.1), direct(4.9)}, "sparse", "keep 95%", Favoured{}},
		"the best if nothing sparser is adequate": {[]Contender{contender("dense", 90, 10, 0.1), contender("poor", 20, 8, 0.1)}, "dense", "predict held-out signals best", Favoured{}},
		"the better of about as many edges":       {[]Contender{contender("sparse", 30, 9.5, 0.1), contender("better", 32, 10, 0.1)}, "better", "best", Favoured{}},
		"the sparser of a tie":                    {[]Contender{opposite, contender("sparse", 30, 9.5, 0.1)}, "sparse", "tied within one standard error with opposite", Favoured{}},
		"the simpler of a tie at the same edges":  {[]Contender{laborious, contender("sparse", 30, 9.5, 0.1)}, "sparse", "with laborious", Favoured{}},
		"edges are counted where they gain":       {[]Contender{fickle, contender("sparse", 30, 9.5, 0.1)}, "sparse", "keep 96%", Favoured{}},
		"none where no graph gains":               {[]Contender{contender("a", 30, -1, 0.1), contender("b", 20, 0.01, 0.1)}, "", "than a model without edges", Favoured{}},
		"what is exact":                           {[]Contender{contender("a", 30, 5, 0.1), proven}, "proven", "its result is exact", Favoured{}},
		"an own model that gains more":            {[]Contender{contender("a", 30, 5, 0.1), owner(6)}, "owner", "gains 6 nats", Favoured{}},
		"not an own model that gains less":        {[]Contender{contender("a", 30, 5, 0.1), owner(4)}, "a", "best", Favoured{}},
		"edges whose own model gains nothing":     {[]Contender{contender("a", 30, -5, 0.1), owner(-1)}, "owner", "its 50 edges", Favoured{}},
		"nothing of nothing":                      {nil, "", "no method", Favoured{}},
		"the one that is favoured":                {[]Contender{contender("a", 30, 5, 0.1), owner(6), contender("b", 30, 4, 0.1)}, "b", "as learn does", Favoured{"b", "as learn does"}},
		"a favoured one by its own model":         {[]Contender{contender("a", 30, 5, 0.1), owner(4)}, "owner", "as learn does", Favoured{"owner", "as learn does"}},
		"not a favoured one that gains nothing":   {[]Contender{contender("a", 30, 5, 0.1), contender("b", 30, -1, 0.1)}, "a", "best", Favoured{"b", "as learn does"}},
		"what is exact before what is favoured":   {[]Contender{contender("a", 30, 5, 0.1), proven}, "proven", "its result is exact", Favoured{"a", "as learn does"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := Rank(c.list, c.favoured)
			if r.Recommended != c.want || !strings.Contains(r.Because, c.says) {
				t.Errorf("got %q because %s, want %q because … %s …", r.Recommended, r.Because, c.want, c.says)
			}
			if len(r.Places) != len(c.list) || c.want != "" && r.Places[0].Name != c.want {
				t.Errorf("places %+v, want %s first", r.Places, c.want)
			}
			for k, p := range r.Places {
				if p.Rank != k+1 {
					t.Errorf("%s has rank %d in place %d", p.Name, p.Rank, k+1)
				}
			}
		})
	}
}

// Behind the one recommended come the adequate by edges, then the others by gains.
func TestRankOrders(t *testing.T) {
	r := Rank([]Contender{
		contender("poor", 5, 2, 0.1), contender("dense", 90, 10, 0.1), contender("fair", 10, 8, 0.1),
		contender("middle", 60, 9.9, 0.1), contender("sparse", 30, 9.5, 0.1),
	}, Favoured{})
	var got []string
	for _, p := range r.Places {
		got = append(got, p.Name)
	}
	if want := "sparse middle dense fair poor"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if s := r.Places[3].Share; s < 0.79 || s > 0.81 {
		t.Errorf("fair has a share of %g, want 0.8", s)
	}
}
