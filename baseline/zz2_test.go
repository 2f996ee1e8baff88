package baseline
import ("testing";"fmt";"math";"github.com/nervure/nervure/dataio";"github.com/nervure/nervure/method";"github.com/nervure/nervure/graph";"github.com/nervure/nervure/metrics";"gonum.org/v1/gonum/mat")
func TestZR(t *testing.T){
	for _, set := range []string{"danube","molene","metr_la","sachs","chickenpox","patches10","patches20"} {
		file := "signals.csv"
		if set[:3]=="pat" { file = "signals.npz" }
		s, err := dataio.ReadSignals("../../shared/data/"+set+"/"+file, dataio.ReadOptions{})
		if err != nil { t.Fatal(err) }
		y := s.Y
		n, m := y.Dims()
		f := func(v float64) float64 { return v }
		switch set { case "danube": f = math.Log; case "sachs": f = func(v float64) float64 { return math.Log(v+10) }; m = 853; case "chickenpox": f = func(v float64) float64 { return math.Log(v+1) } }
		z := mat.NewDense(n, m, nil)
		for i := range n { for k := range m { z.Set(i,k,f(y.At(i,k))) } }
		if set == "molene" { d := mat.NewDense(n, m-1, nil); for i := range n { for k := range m-1 { d.Set(i,k,z.At(i,k+1)-z.At(i,k)) } }; z = d }
		truth, err := dataio.ReadGraph("../../shared/data/"+set+"/truth_edges.csv", s.Names)
		if err != nil { t.Fatal(err) }
		if set == "metr_la" { truth = truth.Above(0.7) }
		rs := map[string][]float64{}
		line := set
		for _, me := range []method.Method{GGL{}, Partial{}, Trees{}} {
			p := method.Problem{Y: z, Names: s.Names, Threads: 2}
			r, err := me.Learn(t.Context(), p)
			if err != nil { t.Fatal(err) }
			own, _ := metrics.EdgeF1(r.Graph, truth)
			line += fmt.Sprintf("  own %s %.2f (%d)", me.Name(), own, r.Graph.EdgeCount())
			rs[me.Name()] = ranks(r.Weights)
		}
		for _, of := range [][]string{{"ggl"},{"partial"},{"trees"},{"partial","trees"},{"ggl","trees"},{"ggl","partial","trees"}} {
			w := make([]float64, n*(n-1)/2)
			for e := range w { for _, o := range of { w[e] += rs[o][e] }; w[e] = float64(len(w)) + 1 - w[e]/float64(len(of)) }
			g, err := fromPairs(n, w).Rename(s.Names)
			if err != nil { t.Fatal(err) }
			top, _ := metrics.EdgeF1(g.Strongest(truth.EdgeCount()), truth)
			line += fmt.Sprintf("  %v %.2f", of, top)
		}
		fmt.Println(line)
	}
	_ = graph.Cut{}
}
