package document

import (
	"strings"
	"testing"
)

// What a method does not have is an empty cell, not a zero.
func TestComparisonsAreTables(t *testing.T) {
	seconds, edges, rank := 0.5, 0, 1
	c := &Comparison{Methods: []Compared{
		{Method: "knn", Status: "converged", Seconds: &seconds, Edges: &edges, Rank: &rank},
		{Method: "glasso", Status: Failed, Error: "too few, signals"},
	}}
	var b strings.Builder
	if err := c.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	const want = "method,status,seconds,edges,precision,recall,f1,f1_at_true_count,held_out_error,error,rank,held_out_gain,held_out_gain_stderr,hidden_explained\n" +
		"knn,converged,0.5,0,,,,,,,1,,,\n" +
		"glasso,failed,,,,,,,,\"too few, signals\",,,,\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}
