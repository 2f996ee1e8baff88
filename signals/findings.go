package signals

import (
	"fmt"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/nervure/nervure/internal/words"
)

// A Finding is something to know about signals before anything is learned from
// them.
type Finding struct {
	Kind     FindingKind
	Sentence string // without a capital and a full stop
}

// A FindingKind says what a finding is about, so that a program can say what to do.
type FindingKind string

// The kinds of findings.
const (
	SingleSignal  FindingKind = "single signal"  // nothing can be learned; vertices may have been taken for signals
	FewSignals    FindingKind = "few signals"    // fewer than vertices, which may have been taken for signals
	MissingValues FindingKind = "missing values" // some are
	TimeGaps      FindingKind = "gaps in time"   // observations of a regular grid are missing
	UnevenTimes   FindingKind = "uneven times"   // there is no regular grid; resampling makes one
)

// Findings returns what there is to know about the signals.
func (s *Set) Findings() []Finding {
	var list []Finding
	add := func(kind FindingKind, format string, args ...any) {
		list = append(list, Finding{kind, fmt.Sprintf(format, args...)})
	}
	n, m := s.Y.Dims()
	if m < n {
		kind := FewSignals
		if m == 1 {
			kind = SingleSignal
		}
		add(kind, "%s and %s", words.Plural(n, "vertex"), words.Plural(m, "signal"))
	}
	if missing := matrix.Missing(s.Y); missing > 0 {
		add(MissingValues, "%d of %s missing", missing, words.Plural(n*m, "value"))
	}
	switch sp := s.Spacing(); {
	case s.Whole != nil: // a sample is uneven by itself
	case sp.Uneven:
		add(UnevenTimes, "the times of the observations are uneven, with steps from %s to %s", words.Span(sp.Least), words.Span(sp.Most))
	case sp.Gaps > 0:
		add(TimeGaps, "observations are missing: the times are %s apart, but for %s, the longest after %s", words.Span(sp.Step), words.Plural(sp.Gaps, "gap"), words.Time(sp.LongestGap))
	}
	return list
}
