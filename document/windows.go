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
	Warnings     []string    `json:"warnings" doc:"warnings about the whole series, one sentence each"`
	Rows         []WindowRow `json:"windows" doc:"one for each window, in order"`
}

// A WindowRow is a window and its graph.
type WindowRow struct {
	Name         string `json:"name" doc:"its graph is NAME.csv"`
	Begin        string `json:"begin,omitempty" doc:"when it begins, if times are known"`
	End          string `json:"end,omitempty" doc:"when it ends, if times are known"`
	First        int    `json:"first" doc:"its first observation, from 1"`
	Observations int    `json:"observations" doc:"number of observations"`
	Edges        int    `json:"edges" doc:"number of edges"`
	Came         int    `json:"came" doc:"edges that the window before does not have"`
	Gone         int    `json:"gone" doc:"edges that only the window before has"`
	Alone        int    `json:"alone" doc:"number of edges learned from this window alone"`
	Error        string `json:"error,omitempty" doc:"why nothing could be learned from this window alone; its graph is that of the windows around it"`
}

// WriteCSV writes the rows as a table.
func (x *WindowIndex) WriteCSV(w io.Writer) error {
	rows := [][]string{{"name", "begin", "end", "first", "observations", "edges", "came", "gone", "alone", "error"}}
	for _, r := range x.Rows {
		rows = append(rows, []string{
			r.Name, r.Begin, r.End, strconv.Itoa(r.First), strconv.Itoa(r.Observations), strconv.Itoa(r.Edges),
			strconv.Itoa(r.Came), strconv.Itoa(r.Gone), strconv.Itoa(r.Alone), r.Error,
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
