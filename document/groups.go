package document

// A GroupComparison reports whether the graphs of groups differ, and where. It is what nervure batch --groups and
// nervure learn --by write to groups.json.
type GroupComparison struct {
	Version      string          `json:"version" doc:"version of nervure"`
	Command      string          `json:"command,omitempty" doc:"the command, without what does not affect the result"`
	Question     string          `json:"question" doc:"what is compared, such as diagnosis, adjusted for age"`
	Answer       string          `json:"answer" doc:"what was found, a sentence"`
	Method       string          `json:"method" doc:"the method that learned the graphs"`
	Value        string          `json:"value" doc:"what is compared of each pair of vertices: partial correlation or weight"`
	Unit         string          `json:"unit" doc:"what was sampled and is permuted: file, row, or a block of rows"`
	Units        int             `json:"units" doc:"number of units"`
	Subjects     int             `json:"subjects,omitempty" doc:"number of subjects within which units are permuted, if they are paired"`
	Groups       []ComparedGroup `json:"groups" doc:"the groups, in order; the first is what others are compared with"`
	Permutations int             `json:"permutations" doc:"number of permutations"`
	Exact        bool            `json:"exact" doc:"p-values are exact if units are exchangeable; otherwise they are approximate"`
	LeastP       float64         `json:"least_p" doc:"the smallest p-value that permutations of such units can give"`
	Whole        float64         `json:"p" doc:"p-value of the whole graph: does any edge differ?"`
	Strength     ComparedValue   `json:"strength" doc:"the strength of the whole graph: the sum of its values where they are clear"`
	Vertices     []ComparedPlace `json:"vertices" doc:"one for each vertex, in order"`
	Pairs        int             `json:"pairs" doc:"number of pairs of vertices that were tested"`
	Edges        []ComparedEdge  `json:"edges" doc:"the pairs that differ at a false discovery rate of 0.1, the clearest first; differences.csv has all"`
	Notes        []string        `json:"notes" doc:"what was left out, and what to know, one sentence each"`
}

// A ComparedGroup is a group and its graph.
type ComparedGroup struct {
	Name  string `json:"name" doc:"the group"`
	Units int    `json:"units" doc:"number of its units"`
	Edges int    `json:"edges" doc:"number of edges of its graph"`
	Graph string `json:"graph,omitempty" doc:"file of its graph, in the same folder"`
}

// A ComparedValue is how a value differs between groups.
type ComparedValue struct {
	Means       []float64            `json:"means,omitempty" doc:"in each group"`
	Differences []ComparedDifference `json:"differences" doc:"of each group but the first from the first; of a covariate, the slope"`
	Statistic   float64              `json:"statistic" doc:"t, or F with more than two groups"`
	P           float64              `json:"p" doc:"p-value by permutations"`
}

// A ComparedDifference is a difference with its 95 % interval.
type ComparedDifference struct {
	Size         float64 `json:"size" doc:"the difference"`
	Low          float64 `json:"low" doc:"lower end of its 95 % interval"`
	High         float64 `json:"high" doc:"upper end of its 95 % interval"`
	Standardised float64 `json:"standardised" doc:"the difference in standard deviations between units"`
}

// A ComparedPlace is whether the edges of a vertex differ.
type ComparedPlace struct {
	Name     string        `json:"name" doc:"the vertex"`
	P        float64       `json:"p" doc:"p-value of all its pairs together"`
	Q        float64       `json:"q" doc:"false discovery rate at which it passes, among the vertices"`
	Strength ComparedValue `json:"strength" doc:"its strength: the sum of its values where they are clear"`
}

// A ComparedEdge is a pair of vertices that differs.
type ComparedEdge struct {
	ComparedValue

	Source string  `json:"source" doc:"a vertex"`
	Target string  `json:"target" doc:"the other vertex"`
	PAny   float64 `json:"p_any" doc:"p-value with all pairs tested at once: the chance that any differs as clearly"`
	Q      float64 `json:"q" doc:"false discovery rate at which it passes, among all pairs"`
}
