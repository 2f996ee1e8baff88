package views

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// The line of progress is written over itself, seldom, and leaves nothing behind.
func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, progressLine)
	for round := range 1000 {
		p.show(method.Step{Phase: learn.Coding, Start: 1, Round: round + 1, Residual: 0.5, Edges: 7})
	}
	p.Clear()
	got := b.String()
	if n := strings.Count(got, "round "); n < 1 || n > 100 {
		t.Errorf("the line was written %d times in a moment", n)
	}
	if strings.Contains(got, "\n") {
		t.Errorf("the line was ended: %q", got)
	}
	parts := strings.Split(got, "\r") // before the first, the lines, blanks, nothing
	if blank, line := parts[len(parts)-2], parts[len(parts)-3]; strings.TrimSpace(blank) != "" || len(blank) < len(line) || parts[len(parts)-1] != "" {
		t.Errorf("the line was not cleared: %q", got)
	}
	for _, part := range parts {
		if len(part) >= Columns {
			t.Errorf("%d columns: %q", len(part), part)
		}
	}
}

func TestPlainProgressIsOneLineARound(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, arguments.ProgressPlain)
	for _, s := range []method.Step{
		{Phase: learn.Coding, Start: 1, Round: 1, Residual: 0.9},
		{Phase: learn.GraphUpdate, Start: 1, Round: 1, Residual: 0.8, Edges: 3},
		{Phase: learn.Coding, Start: 1, Round: 2, Residual: 0.7, Edges: 3},
		{Phase: learn.Coding, Start: 2, Round: 2, Residual: 0.6, Edges: 1},
	} {
		p.show(s)
	}
	p.endRound()
	p.Clear()
	want := `start 1, round 1: residual 0.8, 3 edges
start 1, round 2: residual 0.7, 3 edges
start 2, round 2: residual 0.6, 1 edge
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoProgressWhereNobodyWatches(t *testing.T) {
	for _, mode := range []arguments.ProgressMode{arguments.ProgressAuto, arguments.ProgressNone} {
		var b bytes.Buffer
		p := NewProgress(&b, mode)
		p.show(method.Step{Phase: learn.Coding, Start: 1, Round: 1})
		p.Clear()
		if b.Len() > 0 {
			t.Errorf("%s: got %q", mode, b.String())
		}
	}
}

// said is what was said so far, perhaps by a timer.
type said struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// Where nobody watches, short runs say nothing, and long ones a line when a stage begins and every half
// minute, whether or not there is anything new.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b said
		p := NewProgress(&b, arguments.ProgressAuto)
		p.Begin("first")
		time.Sleep(9 * time.Second)
		p.Begin("second")
		synctest.Wait()
		if b.String() != "" {
			t.Errorf("a short run said %q", b.String())
		}
		time.Sleep(62 * time.Second) // of one stage, without a step
		p.Begin("third")
		time.Sleep(31 * time.Second)
		p.Clear()
		time.Sleep(time.Hour)
		synctest.Wait()
		want := "second (after 10 s)\nsecond (after 40 s)\nsecond (after 70 s)\nthird (after 71 s)\nthird (after 101 s)\n"
		if b.String() != want {
			t.Errorf("got %q, want %q", b.String(), want)
		}
	})
}

func TestHeartbeatSaysHowFarAStageHasCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b said
		p := NewProgress(&b, arguments.ProgressAuto)
		defer p.Clear()
		p.show(method.Step{Phase: learn.Coding, Start: 1, Round: 3, Residual: 0.5, Edges: 7})
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if want := "round 3 ("; !strings.Contains(b.String(), want) || strings.Count(b.String(), "\n") != 1 {
			t.Errorf("got %q, want a line with %q", b.String(), want)
		}
	})
}

func TestProgressVariable(t *testing.T) {
	t.Setenv(ProgressVariable, "none")
	if p := NewProgress(&bytes.Buffer{}, arguments.ProgressAuto); p.mode != arguments.ProgressNone {
		t.Errorf("the mode is %q", p.mode)
	}
	if p := NewProgress(&bytes.Buffer{}, arguments.ProgressPlain); p.mode != arguments.ProgressPlain {
		t.Errorf("what was asked for became %q", p.mode)
	}
}
