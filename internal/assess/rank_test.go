package assess

import (
	"strings"
	"testing"
)

// contender has gains about a mean: they alternate by a tenth, so that the error of the mean is 0.1/√20.
func contender(name string, edges int, gain float64) Contender {
	h := &HeldOut{Edges: float64(edges)}
	for k := range 20 {
		h.Gain = append(h.Gain, gain+0.1*float64(1-2*(k%2)))
	}
	return Contender{Name: name, Edges: edges, HeldOut: h}
}

func TestRankRecommends(t *testing.T) {
	dense, sparse, poor := contender("dense", 90, 10), contender("sparse", 30, 9.5), contender("poor", 20, 8)
	proven := contender("proven", 50, -3)
	proven.Certified = true
	owner := func(gain float64) Contender {
		c := contender("owner", 50, 1)
		c.HeldOut.ModelGain = contender("", 0, gain).HeldOut.Gain
		return c
	}
	direct := func(gain float64) Contender {
		c := contender("direct", 40, gain)
		c.Direct = true
		return c
	}
	laborious := contender("laborious", 30, 9.5)
	laborious.Iterations = 12
	fickle := contender("fickle", 10, 9.9)
	fickle.HeldOut.Edges = 90
	opposite := contender("opposite", 31, 9.6)
	for k := range opposite.HeldOut.Gain {
		opposite.HeldOut.Gain[k] = 9.6 - float64(1-2*(k%2)) // against sparse's, within an error of it
	}
	list := func(c ...Contender) []Contender { return c }
	a, b := contender("a", 30, 5), contender("b", 30, 4)
	for name, c := range map[string]struct {
		list     []Contender
		want     string
		rule     Rule
		favoured string
	}{
		"the sparsest that is adequate":           {list(dense, sparse, poor), "sparse", ByFewEdges, ""},
		"direct edges that gain half":             {list(dense, sparse, direct(5.1)), "direct", ByDirect, ""},
		"not direct edges that gain less":         {list(dense, sparse, direct(4.9)), "sparse", ByFewEdges, ""},
		"the best if nothing sparser is adequate": {list(dense, poor), "dense", ByFewEdges, ""},
		"the better of about as many edges":       {list(sparse, contender("better", 32, 10)), "better", ByFewEdges, ""},
		"the sparser of a tie":                    {list(opposite, sparse), "sparse", ByFewEdges, ""},
		"the simpler of a tie at the same edges":  {list(laborious, sparse), "sparse", ByFewEdges, ""},
		"edges are counted where they gain":       {list(fickle, sparse), "sparse", ByFewEdges, ""},
		"none where no graph gains":               {list(contender("a", 30, -1), contender("b", 20, 0.01)), "", ByNothing, ""},
		"what is exact":                           {list(a, proven), "proven", ByProof, "a"},
		"an own model that gains more":            {list(a, owner(6)), "owner", ByOwnModel, ""},
		"not an own model that gains less":        {list(a, owner(4)), "a", ByFewEdges, ""},
		"nothing of nothing":                      {nil, "", ByNothing, ""},
		"the one that is favoured":                {list(a, owner(6), b), "b", ByLearn, "b"},
		"a favoured one by its own model":         {list(a, owner(4)), "owner", ByLearn, "owner"},
		"not a favoured one that gains nothing":   {list(a, contender("b", 30, -1)), "a", ByFewEdges, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Rank(c.list, Favoured{c.favoured, "as learn does"})
			if r.Recommended != c.want || r.Rule != c.rule || r.Because == "" {
				t.Errorf("got %q by %q because %s, want %q by %q", r.Recommended, r.Rule, r.Because, c.want, c.rule)
			}
			if len(r.Places) != len(c.list) || c.want != "" && r.Places[0].Name != c.want {
				t.Errorf("places %+v, want %s first", r.Places, c.want)
			}
			for k, p := range r.Places {
				if p.Rank != k+1 || p.Needs != ShareNeeded(p.Name == "direct") {
					t.Errorf("%s has rank %d in place %d, and needs %g", p.Name, p.Rank, k+1, p.Needs)
				}
			}
		})
	}
}

// Behind the one recommended come the adequate by edges, then the others by gains.
func TestRankOrders(t *testing.T) {
	r := Rank([]Contender{
		contender("poor", 5, 2), contender("dense", 90, 10), contender("fair", 10, 8),
		contender("middle", 60, 9.9), contender("sparse", 30, 9.5),
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
