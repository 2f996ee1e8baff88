package document

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// An Index lists the graphs of a batch. It is what nervure batch writes to index.json.
type Index struct {
	Files       int         `json:"files" doc:"number of files"`
	Learned     int         `json:"learned" doc:"number of files a graph was learned from"`
	Failed      int         `json:"failed" doc:"number of files without a graph; error says why"`
	Model       *StudyModel `json:"model,omitempty" doc:"what was chosen once, from all files, and every graph was learned by; absent with --each"`
	Apart       string      `json:"apart,omitempty" doc:"why choices were made for each file by itself though they were to be made once"`
	Answer      string      `json:"answer,omitempty" doc:"whether the graphs of groups differ, if that was asked; groups.json has more"`
	Unanswered  string      `json:"unanswered,omitempty" doc:"why groups were not compared though that was asked"`
	NotCompared []string    `json:"not_compared,omitempty" doc:"the files that were left out of the comparison of groups, and why, one sentence each"`
	Rows        []IndexRow  `json:"graphs" doc:"one for each file, in the order they were given"`
}

// A StudyModel is what the graphs of a batch were learned by: what was asked for, and what was left
// open and chosen from all files.
type StudyModel struct {
	Files    int        `json:"files" doc:"number of files it was chosen from"`
	Vertices int        `json:"vertices" doc:"number of vertices that all of them have"`
	Signals  int        `json:"signals" doc:"number of their signals that were looked at together"`
	Because  string     `json:"because,omitempty" doc:"why the method was chosen, as a part of a sentence"`
	Prepare  RunPrepare `json:"prepare,omitzero" doc:"preprocessing, as in the run document; what is absent is chosen for each file"`
	Method   RunMethod  `json:"method,omitzero" doc:"the method and its options, as in the run document"`
	Kernels  RunKernels `json:"kernels,omitzero" doc:"the kernels, as in the run document"`
}

// Sentence says what graphs were learned by, and from how many of the files that was chosen.
func (m *StudyModel) Sentence(files int) string {
	from := fmt.Sprintf("all %d files", files)
	if m.Files < files {
		from = fmt.Sprintf("%d of %d files", m.Files, files)
	}
	if m.Because == "" { // it was asked for
		return fmt.Sprintf("learned by %s, other choices made from %s", m.Method.Name, from)
	}
	return fmt.Sprintf("learned by %s, chosen from %s", m.Method.Name, from)
}

// An IndexRow is a file and what was learned from it.
type IndexRow struct {
	Name     string   `json:"name" doc:"what its outputs are called: NAME.csv, NAME.json, NAME.html"`
	File     string   `json:"file" doc:"the file of signals"`
	Input    string   `json:"input" doc:"SHA-256 of that file"`
	Verdict  string   `json:"verdict" doc:"how far to trust the graph, as in the summary"`
	Method   string   `json:"method" doc:"the method that learned the graph"`
	Vertices int      `json:"vertices" doc:"number of vertices"`
	Signals  int      `json:"signals" doc:"number of signals learned from"`
	Edges    int      `json:"edges" doc:"number of edges"`
	Noise    *float64 `json:"noise,omitzero" doc:"noise amplitude as a share of the signals' amplitude, if it was estimated"`
	Seconds  float64  `json:"seconds" doc:"time spent learning"`
	Warnings []string `json:"warnings" doc:"warnings, one sentence each"`
	Error    string   `json:"error,omitempty" doc:"why there is no graph"`
	Note     string   `json:"note,omitempty" doc:"how the vertices of the file are not those of most others"`
}

// Describe fills in what a summary says.
func (r *IndexRow) Describe(s *Summary) {
	r.Verdict, r.Method, r.Vertices, r.Signals, r.Edges = s.Verdict, s.Method, s.Vertices, s.Signals, s.Edges
	r.Noise, r.Seconds, r.Warnings = s.Noise, s.Seconds, s.Warnings
}

// Add adds a row.
func (x *Index) Add(r IndexRow) {
	x.Files++
	if r.Error == "" {
		x.Learned++
	} else {
		x.Failed++
	}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	x.Rows = append(x.Rows, r)
}

// WriteCSV writes the rows as a table. Cells of a file without a graph are empty.
func (x *Index) WriteCSV(w io.Writer) error {
	table := csv.NewWriter(w)
	rows := [][]string{{"name", "file", "verdict", "method", "vertices", "signals", "edges", "noise", "seconds", "warnings", "error", "note"}}
	for _, r := range x.Rows {
		row := []string{r.Name, r.File, "", "", "", "", "", "", "", "", r.Error, r.Note}
		if r.Error == "" {
			noise := ""
			if r.Noise != nil {
				noise = strconv.FormatFloat(*r.Noise, 'g', -1, 64)
			}
			row = []string{
				r.Name, r.File, r.Verdict, r.Method, strconv.Itoa(r.Vertices), strconv.Itoa(r.Signals), strconv.Itoa(r.Edges),
				noise, strconv.FormatFloat(r.Seconds, 'g', -1, 64), strings.Join(r.Warnings, "; "), "", r.Note,
			}
		}
		rows = append(rows, row)
	}
	return table.WriteAll(rows)
}
