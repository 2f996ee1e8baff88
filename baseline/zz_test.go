package baseline
import ("testing";"fmt";"sort";"math";"github.com/nervure/nervure/method";"github.com/nervure/nervure/graph";"github.com/nervure/nervure/metrics";"github.com/nervure/nervure/synth")
func ranks(g *graph.Graph) []float64 {
	n := g.Vertices(); w := make([]float64, n*(n-1)/2)
	for _, e := range g.Edges() { w[pairIndex(n, e.I, e.J)] = e.Weight }
	order := make([]int, len(w)); for i := range order { order[i]=i }
	sort.SliceStable(order, func(a,b int) bool { return w[order[a]] > w[order[b]] })
	r := make([]float64, len(w))
	for k := 0; k < len(order); { j := k; for j < len(order) && w[order[j]]==w[order[k]] { j++ }; for x := k; x < j; x++ { r[order[x]] = float64(k+j-1)/2 }; k = j }
	return r
}

func TestZZ(t *testing.T){
	sum := map[string]float64{}
	count := 0
	for _, kind := range synth.FieldKinds() {
		for seed := uint64(900); seed < 908; seed++ {
			f, err := kind.Draw(seed); if err != nil { t.Fatal(err) }
			count++
			rs := map[string][]float64{}
			own := map[string]*graph.Graph{}
			n := f.Graph.Vertices()
			for _, me := range []method.Method{GGL{}, Partial{}, Trees{}, Tree{}} {
				r, err := me.Learn(t.Context(), method.Problem{Y: f.Signals, Threads: 2})
				if err != nil { t.Fatal(err) }
				rs[me.Name()] = ranks(r.Weights)
				own[me.Name()] = r.Graph
				f1, _ := metrics.EdgeF1(r.Graph, f.Graph)
				sum["own "+me.Name()] += f1
			}
			combos := map[string][]string{"ggl":{"ggl"},"p+t":{"partial","trees"},"g+t":{"ggl","trees"},"g+p+t":{"ggl","partial","trees"}}
			for name, of := range combos {
				w := make([]float64, n*(n-1)/2)
				for e := range w { for _, o := range of { w[e] += rs[o][e] }; w[e] = float64(len(w)) + 1 - w[e]/float64(len(of)) }
				g := fromPairs(n, w)
				c := own["ggl"].EdgeCount()
				for rule, k := range map[string]int{"ggl count": c, "at least tree": max(c, n-1), "ggl or trees/2": int(math.Sqrt(float64(max(c,1)*own["trees"].EdgeCount()))), "partial": own["partial"].EdgeCount(), "gp": int(math.Sqrt(float64(max(c,1)*max(1,own["partial"].EdgeCount()))))} {
					f1, _ := metrics.EdgeF1(g.Strongest(k), f.Graph)
					sum[name+" "+rule] += f1
				}
			}
		}
	}
	var keys []string
	for k := range sum { keys = append(keys, k) }
	sort.Strings(keys)
	for _, k := range keys { fmt.Printf("%s %.3f\n", k, sum[k]/float64(count)) }
}
