package study

import (
	"fmt"
	"testing"

	"github.com/nervure/nervure/graph"
)

// A series of four windows, judged by hand. Edge 0–1 stays, 1–2 goes at observation 20 and
// 2–3 comes.
func TestJudgementByHand(t *testing.T) {
	build := func(pairs ...[2]int) *graph.Graph {
		var edges []graph.Edge
		for _, p := range pairs {
			edges = append(edges, graph.Edge{I: p[0], J: p[1], Weight: 1})
		}
		g, err := graph.New(graph.DefaultNames(4), edges)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	stays, goes, comes, never := [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 3}
	s := &Series{}
	for w, win := range []Window{
		{Graph: build(stays, goes), Own: build(stays, goes)},
		{Graph: build(stays, goes), Own: build(goes)},
		{Graph: build(stays, never), Own: nil, Came: 1, Gone: 1},
		{Graph: build(stays, comes), Own: build(stays, comes), Came: 1, Gone: 1},
	} {
		win.From, win.To = 10*w, 10*w+10
		s.Windows = append(s.Windows, win)
	}
	got := s.Judge(build(stays, goes), build(stays, comes), 20)
	want := Judgement{
		// One of two stable edges at the second step, and again at the third.
		Flicker: 1. / 3, AtMoment: 0.5,
		Alone: 2. / 3, // 0–1 goes at the first step and comes back at the last
		Found: 1, Early: 0, Off: 0,
		F1: (1 + 1 + 0.5 + 1) / 4, F1Alone: (1 + 2./3 + 0 + 1) / 4,
	}
	if a, b := fmt.Sprintf("%.12v", got), fmt.Sprintf("%.12v", want); a != b {
		t.Errorf("got %s, want %s", a, b)
	}
	// With a moment a window earlier, the changes are late by a window, and the last step is away.
	if late := s.Judge(build(stays, goes), build(stays, comes), 10); late.Off != 1 || late.Found != 0.5 || late.Away != 0.5 {
		t.Errorf("a late change: %+v", late)
	}
}
