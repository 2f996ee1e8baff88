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
		rule Rule

		favoured Favoured
	}{
		"the sparsest that is adequate":           {[]Contender{contender("dense", 90, 10, 0.1), contender("sparse", 30, 9.5, 0.1), contender("poor", 20, 8, 0.1)}, "sparse", ByFewEdges, Favoured{}},
		"direct edges that gain half":             {[]Contender{contender("dense", 90, 10, 0.1), contender("sparse", 30, 9.5, 0.1), direct(5.1)}, "direct", ByDirect, Favoured{}},
		"not direct edges that gain less":         {[]Contender{contender("dense", 90, 10, 0.1), contender("sparse", 30, 9.5, 0.1), direct(4.9)}, "sparse", ByFewEdges, Favoured{}},
		"the best if nothing sparser is adequate": {[]Contender{contender("dense", 90, 10, 0.1), contender("poor", 20, 8, 0.1)}, "dense", ByFewEdges, Favoured{}},
		"the better of about as many edges":       {[]Contender{contender("sparse", 30, 9.5, 0.1), contender("better", 32, 10, 0.1)}, "better", ByFewEdges, Favoured{}},
		"the sparser of a tie":                    {[]Contender{opposite, contender("sparse", 30, 9.5, 0.1)}, "sparse", ByFewEdges, Favoured{}},
		"the simpler of a tie at the same edges":  {[]Contender{laborious, contender("sparse", 30, 9.5, 0.1)}, "sparse", ByFewEdges, Favoured{}},
		"edges are counted where they gain":       {[]Contender{fickle, contender("sparse", 30, 9.5, 0.1)}, "sparse", ByFewEdges, Favoured{}},
		"none where no graph gains":               {[]Contender{contender("a", 30, -1, 0.1), contender("b", 20, 0.01, 0.1)}, "", ByNothing, Favoured{}},
		"what is exact":                           {[]Contender{contender("a", 30, 5, 0.1), proven}, "proven", ByProof, Favoured{}},
		"an own model that gains more":            {[]Contender{contender("a", 30, 5, 0.1), owner(6)}, "owner", ByOwnModel, Favoured{}},
		"not an own model that gains less":        {[]Contender{contender("a", 30, 5, 0.1), owner(4)}, "a", ByFewEdges, Favoured{}},
		"edges whose own model gains nothing":     {[]Contender{contender("a", 30, -5, 0.1), owner(-1)}, "owner", ByFewEdges, Favoured{}},
		"nothing of nothing":                      {nil, "", ByNothing, Favoured{}},
		"the one that is favoured":                {[]Contender{contender("a", 30, 5, 0.1), owner(6), contender("b", 30, 4, 0.1)}, "b", ByLearn, Favoured{"b", "as learn does"}},
		"a favoured one by its own model":         {[]Contender{contender("a", 30, 5, 0.1), owner(4)}, "owner", ByLearn, Favoured{"owner", "as learn does"}},
		"not a favoured one that gains nothing":   {[]Contender{contender("a", 30, 5, 0.1), contender("b", 30, -1, 0.1)}, "a", ByFewEdges, Favoured{"b", "as learn does"}},
		"what is exact before what is favoured":   {[]Contender{contender("a", 30, 5, 0.1), proven}, "proven", ByProof, Favoured{"a", "as learn does"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := Rank(c.list, c.favoured)
			if r.Recommended != c.want || r.Rule != c.rule || r.Because == "" {
				t.Errorf("got %q by %q because %s, want %q by %q", r.Recommended, r.Rule, r.Because, c.want, c.rule)
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
