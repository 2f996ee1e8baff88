package views

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

const (
	progressLine arguments.ProgressMode = "line" // one line, written over and over
	progressLog  arguments.ProgressMode = "log"  // a line now and then, where nobody watches
)

// ProgressVariable is the environment variable with the default of --progress.
const ProgressVariable = "NERVURE_PROGRESS"

// A Progress shows steps of a run as they come.
type Progress struct {
	w     io.Writer
	mode  arguments.ProgressMode
	begun time.Time
	what  string // is being done
	last  method.Step
	shown time.Time // when the line was last written
	width int       // of what stands on the line

	estimate *nervure.Estimator // of the time left; nil if there is none
	now      nervure.Progress   // by it
	told     nervure.Stage      // that was named last, if stages are told one by one

	stream eventStream // if the mode is json
	beat   *heartbeat  // if the mode is log
}

// NewProgress shows progress on a stream.
func NewProgress(w io.Writer, mode arguments.ProgressMode) *Progress {
	if mode == arguments.ProgressAuto {
		mode = progressLog
		if Watched(w) {
			mode = progressLine
		}
		switch wanted := arguments.ProgressMode(os.Getenv(ProgressVariable)); wanted {
		case arguments.ProgressNone, arguments.ProgressPlain:
			mode = wanted
		}
	}
	p := &Progress{w: w, mode: mode, begun: time.Now(), what: "learning", beat: newHeartbeat(w)}
	if mode == arguments.ProgressSteps {
		p.mode, p.stream.undrawn = arguments.ProgressJSON, true
	}
	if p.mode == arguments.ProgressJSON {
		p.w = unguarded(w)
	}
	return p
}

// Expect has the time left estimated, and graphs drawn where vertices are known to be.
func (p *Progress) Expect(e *nervure.Estimator, about *dataio.VertexTable) {
	p.estimate = e
	p.stream.x, p.stream.y, p.stream.fixed = plot.KnownPlaces(about)
}

// stageNames say what is being done.
var stageNames = map[nervure.Stage]string{
	nervure.ChoosingMethod: "choosing a method", nervure.Learning: "learning", nervure.TestingStructure: "held-out signals", nervure.AssessingEdges: "confidence",
	nervure.CheckingRest: "all other signals", nervure.Pruning: "pruning",
}

// Follow shows a step of the pipeline.
func (p *Progress) Follow(s nervure.Step) {
	if p.estimate != nil {
		p.now = p.estimate.Follow(s)
		p.stream.now = p.now
	}
	switch name := stageNames[s.Stage]; {
	case s.Stage == nervure.Finished && s.Analysis != nil:
		p.endRound()
		p.finish(s.Analysis.Graph)
	case name == "":
	case s.Method.Phase != "":
		p.show(s.Method)
	case s.Stage == nervure.ChoosingMethod && s.Of > 0:
		p.tellTimeLeft()
	case s.Of > 0:
		p.showHalf(s.Done, s.Of)
	default:
		p.Begin(name)
	}
}

// betweenUpdates keeps the line readable, and a slow terminal from slowing the run.
const betweenUpdates = 100 * time.Millisecond

// Begin says what is being done from now on.
func (p *Progress) Begin(what string) {
	p.endRound()
	p.what, p.begun = what, time.Now()
	switch p.mode {
	case progressLine:
		p.overwrite(p.stageWords() + " …")
	case progressLog:
		p.beat.is(p.stageWords(), true)
	case arguments.ProgressPlain:
		p.tellStage()
	case arguments.ProgressJSON:
		p.stream.send(p.w, p.stream.at(document.Event{Event: "begin", What: what}))
	}
}

// tellTimeLeft says how long the run will take when that is known within a stage.
func (p *Progress) tellTimeLeft() {
	switch p.mode {
	case progressLine:
		p.overwrite(p.stageWords() + " …")
	case progressLog:
		p.beat.is(p.stageWords(), false)
	case arguments.ProgressJSON:
		p.stream.send(p.w, p.stream.at(document.Event{Event: "stage"}))
	}
}

// stageWords says what is being done: "3 of 5: pruning, about 20 s left".
func (p *Progress) stageWords() string {
	if p.now.Of == 0 {
		return p.what
	}
	words := fmt.Sprintf("%d of %d: %s", p.now.Index, p.now.Of, stageNames[p.now.Stage])
	if left := p.leftWords(); left != "" {
		words += ", " + left
	}
	return words
}

// leftWords says how long the run will still take; nothing if that is not known.
func (p *Progress) leftWords() string {
	if p.now.Of == 0 || p.now.Left < 0 {
		return ""
	}
	if s := max(math.Ceil(p.now.Left.Seconds()), 1); s < 120 {
		return fmt.Sprintf("about %.0f s left", s)
	}
	return "about " + InWords(p.now.Left.Seconds()) + " left"
}

// tellStage names the stage on a line of its own when another begins.
func (p *Progress) tellStage() {
	if p.now.Of > 0 && p.now.Stage != p.told && stageNames[p.now.Stage] != "" {
		p.told = p.now.Stage
		fmt.Fprintln(p.w, p.stageWords())
	}
}

func (p *Progress) show(s method.Step) {
	switch {
	case p.mode == arguments.ProgressJSON && s.Round == 0: // of a method without rounds
		p.tellTimeLeft()
	case p.mode == arguments.ProgressJSON:
		p.stream.step(p.w, s)
	case p.mode == arguments.ProgressPlain:
		// A round may take any number of steps: it is over when another begins.
		if isPruning(p.last) || isPruning(s) || s.Start != p.last.Start || s.Round != p.last.Round {
			p.endRound()
		}
		p.tellStage()
	case p.isDue():
		line := p.stageWords()
		if !isPruning(s) && s.Round > 0 {
			line += fmt.Sprintf("; %s (%s)", stepWords(s), s.Phase)
		}
		if s.Round > 0 {
			line += fmt.Sprintf(", residual %.2g", s.Residual)
		}
		found := Plural(s.Edges, "edge")
		if s.Share > 0 { // of a phase that takes long, before there are any
			found = fmt.Sprintf("%s %s", s.Phase, words.Percent(s.Share))
		}
		p.put(line + ", " + found)
	}
	p.last = s
}

// endRound says how the last round went, if rounds are told one by one.
func (p *Progress) endRound() {
	if p.mode == arguments.ProgressPlain && p.last.Round > 0 {
		left := p.leftWords()
		if left != "" {
			left = ", " + left
		}
		fmt.Fprintf(p.w, "%s: residual %.2g, %s%s\n", stepWords(p.last), p.last.Residual, Plural(p.last.Edges, "edge"), left)
	}
	p.last = method.Step{}
}

func isPruning(s method.Step) bool { return s.Phase == learn.Pruning }

// stepWords says where in a run a step is. Edges are taken away after the rounds.
func stepWords(s method.Step) string {
	if isPruning(s) {
		return "pruning"
	}
	return fmt.Sprintf("start %d, round %d", s.Start, s.Round)
}

// showHalf shows how many halves of the signals have been learned from.
func (p *Progress) showHalf(done, all int) {
	words := fmt.Sprintf("%s: half-sample %d of %d", p.what, done, all)
	if left := p.leftWords(); left != "" {
		words += ", " + left
	}
	switch {
	case p.mode == arguments.ProgressJSON:
		p.stream.send(p.w, p.stream.at(document.Event{Event: "half", Done: done, Of: all}))
	case p.mode == arguments.ProgressPlain:
		fmt.Fprintln(p.w, words)
	case p.isDue():
		if p.now.Of > 0 {
			words = fmt.Sprintf("%d of %d: %s", p.now.Index, p.now.Of, words)
		}
		p.put(words)
	}
}

// isDue reports whether it is time to say again how far the stage has come.
func (p *Progress) isDue() bool {
	return (p.mode == progressLine || p.mode == progressLog) && time.Since(p.shown) >= betweenUpdates
}

// put says how far the stage has come.
func (p *Progress) put(line string) {
	p.shown = time.Now()
	if p.mode == progressLog {
		p.beat.is(line, false)
		return
	}
	p.overwrite(line + ", " + InWords(time.Since(p.begun).Seconds()))
}

// finish shows what was learned to whoever draws it.
func (p *Progress) finish(g *graph.Graph) {
	if p.mode == arguments.ProgressJSON {
		p.stream.finish(p.w, g)
	}
}

// Clear leaves nothing of the line.
func (p *Progress) Clear() {
	p.beat.stop()
	if p.width > 0 {
		p.overwrite("")
		fmt.Fprint(unguarded(p.w), "\r")
		p.width = 0
	}
}

// overwrite replaces the line, with blanks over what was longer: unlike escape
// codes they work on every terminal.
func (p *Progress) overwrite(line string) {
	line = words.Visible(line)
	if runes := []rune(line); len(runes) >= Columns {
		line = string(runes[:Columns-1])
	}
	width := utf8.RuneCountInString(line)
	fmt.Fprint(unguarded(p.w), "\r", line, strings.Repeat(" ", max(p.width-width, 0)))
	p.width = width
}

// InWords returns a duration as people read it.
func InWords(seconds float64) string {
	switch {
	case seconds < 0.1:
		return fmt.Sprintf("%.0f ms", 1000*seconds)
	case seconds < 10:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}
