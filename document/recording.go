package document

// A Recording records all that made a recording of nervure generate: it is the
// manifest.json of a sample that is not of sparse signals.
type Recording struct {
	Version       string   `json:"version" doc:"version of nervure"`
	Command       string   `json:"command" doc:"generate"`
	Kind          string   `json:"kind" doc:"messy, fmri or changing"`
	Seed          uint64   `json:"seed" doc:"random seed"`
	VerticesAsked int      `json:"vertices_asked" doc:"number of vertices before isolated ones were removed"`
	Vertices      int      `json:"vertices" doc:"number of vertices, N"`
	Edges         int      `json:"edges" doc:"number of edges"`
	Observations  int      `json:"observations" doc:"number of observations, M"`
	Mess          string   `json:"mess,omitempty" doc:"messy: all, cycles (no broken sensors) or none"`
	Quantity      string   `json:"quantity,omitempty" doc:"messy: what the sensors measure, and its unit"`
	WeeklyCycle   bool     `json:"weekly_cycle,omitempty" doc:"messy: whether there is a weekly cycle as well as a daily one"`
	Faults        int      `json:"faults,omitempty" doc:"messy: number of broken sensors"`
	ChangeRow     int      `json:"change_row,omitempty" doc:"changing: the first row of signals.csv, counted from 1 without the header, on the graph of truth-after.csv"`
	ChangeTime    string   `json:"change_time,omitempty" doc:"changing: the time of that row"`
	Files         []string `json:"files" doc:"the files of the sample, starting with the manifest"`
}
