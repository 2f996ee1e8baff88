package document

import (
	"encoding/csv"
	"io"
	"strconv"
)

// A WindowIndex lists the graphs of the windows of a series. It is what nervure learn --windows writes to index.json.
type WindowIndex struct {
	Version      string      `json:"version" doc:"version of nervure"`
	Command      string      `json:"command,omitempty" doc:"the command, without what does not affect the result"`
	Run          *Run        `json:"run,omitempty" doc:"the run itself, for nervure run; see the run document"`
	Method       string      `json:"method" doc:"the method that learned all graphs, chosen once for the whole series"`
	Verdict      string      `json:"verdict" doc:"how far to trust the graph of the whole series, as in the summary"`
	Vertices     int         `json:"vertices" doc:"number of vertices"`
	Observations int         `json:"observations" doc:"number of observations of the whole series"`
	Window       string      `json:"window" doc:"length of a window: a number of observations or a span of time"`
	Step         string      `json:"step" doc:"distance between the starts of consecutive windows"`
	Edges        int         `json:"edges" doc:"number of different edges of all windows"`
	Changing     int         `json:"changing" doc:"how many of them come or go"`
	Test         *WindowTest `json:"test,omitempty" doc:"whether changes are more than chance"`
	Warnings     []string    `json:"warnings" doc:"warnings about the whole series, one sentence each"`
	Rows         []WindowRow `json:"windows" doc:"one for each window, in order"`
}

// A WindowRow is a window and its graph.
type WindowRow struct {
	Name         string   `json:"name" doc:"its graph is NAME.csv"`
	Begin        string   `json:"begin,omitempty" doc:"when it begins, if times are known"`
	End          string   `json:"end,omitempty" doc:"when it ends, if times are known"`
	First        int      `json:"first" doc:"its first observation, from 1"`
	Observations int      `json:"observations" doc:"number of observations"`
	Edges        int      `json:"edges" doc:"number of edges"`
	Came         int      `json:"came" doc:"edges that the window before does not have"`
	Gone         int      `json:"gone" doc:"edges that only the window before has"`
	Alone        int      `json:"alone" doc:"number of edges learned from this window alone"`
	P            *float64 `json:"p,omitempty" doc:"p-value that the windows before this one and from it on differ, all of them tested at once; near a change several are small"`
	Error        string   `json:"error,omitempty" doc:"why nothing could be learned from this window alone; its graph is that of the windows around it"`
}

// A WindowTest reports whether changes between windows that do not overlap are more than chance.
type WindowTest struct {
	Untested     string         `json:"untested,omitempty" doc:"why changes were not tested"`
	P            *float64       `json:"p,omitempty" doc:"p-value of the whole graph: does anything change?"`
	Moment       string         `json:"moment,omitempty" doc:"the window from which on the graph as a whole differs most clearly"`
	Windows      int            `json:"windows,omitempty" doc:"number of windows that were tested: those that do not overlap"`
	Blocks       int            `json:"blocks,omitempty" doc:"number of blocks of time, which are permuted"`
	Block        int            `json:"block,omitempty" doc:"number of observations of a block"`
	Permutations int            `json:"permutations,omitempty" doc:"number of permutations"`
	Changes      []WindowChange `json:"changes" doc:"the pairs that change at a false discovery rate of 0.1, the clearest first; evidence.csv has all"`
}

// A WindowChange is how the partial correlation of a pair of vertices changes.
type WindowChange struct {
	Source string  `json:"source" doc:"a vertex"`
	Target string  `json:"target" doc:"the other vertex"`
	Window string  `json:"window" doc:"the window from which on it is another one"`
	Only   bool    `json:"only,omitempty" doc:"it is another one in that window alone"`
	Before float64 `json:"before" doc:"mean before that window or, if only, in the others"`
	After  float64 `json:"after" doc:"mean from that window on or, if only, in that window"`
	P      float64 `json:"p" doc:"p-value by permutations of blocks of time"`
	Q      float64 `json:"q" doc:"false discovery rate at which it passes, among all pairs"`
}

// WriteCSV writes the rows as a table.
func (x *WindowIndex) WriteCSV(w io.Writer) error {
	rows := [][]string{{"name", "begin", "end", "first", "observations", "edges", "came", "gone", "alone", "error", "p"}}
	for _, r := range x.Rows {
		p := ""
		if r.P != nil {
			p = strconv.FormatFloat(*r.P, 'g', -1, 64)
		}
		rows = append(rows, []string{
			r.Name, r.Begin, r.End, strconv.Itoa(r.First), strconv.Itoa(r.Observations), strconv.Itoa(r.Edges),
			strconv.Itoa(r.Came), strconv.Itoa(r.Gone), strconv.Itoa(r.Alone), r.Error, p,
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
