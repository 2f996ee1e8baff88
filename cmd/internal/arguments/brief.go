package arguments

import "github.com/spf13/cobra"

// A Usual is a flag that most people use, and what it does in a few words; if there are none, what its
// help begins with does.
type Usual struct{ Name, Short string }

const (
	shortTranspose  = "vertices are in rows, observations in columns"
	shortRows       = "what rows are: time or independent (default: found out)"
	shortDifference = "yes: take differences in time; no: keep values"
	shortGraphOut   = "write the graph to FILE: .csv, .graphml, .json, .mat …"
	shortMethod     = "name the method instead of having it chosen"
	shortQuiet      = "print only errors"
	shortCluster    = "leave the work to workers on other machines"
	shortThreads    = "number of cores (default: all)"
)

// usual are the flags that most people use, by command, in the order in which -h lists them. A command
// that is not here has so few that -h lists all.
var usual = map[string][]Usual{
	"learn": {
		{"transpose", shortTranspose},
		{"rows", shortRows},
		{"difference", shortDifference},
		{"vertices", "read coordinates and more of the vertices from FILE"},
		{"method", shortMethod},
		{"edges", "keep only the N heaviest edges"},
		{"time-limit", "end after TIME, such as 2m, with the best graph so far"},
		{"out", shortGraphOut},
		{"report", "write a page with the graph and all about it"},
		{"summary", "write all numbers of the run as JSON"},
	},
	"kernels": {
		{"graph", "the known graph"},
		{"kernels", "learn S free polynomials"},
		{"kernel", "learn the scale of a kernel, starting from SPEC"},
		{"degree", "degree of the kernel polynomials"},
		{"sparsity", "maximum number of atoms per signal"},
		{"transpose", shortTranspose},
		{"difference", shortDifference},
		{"out", "also write the kernels to FILE.json or FILE.csv"},
		{"json", ""},
	},
	"compare": {
		{"methods", "names of the methods to run, such as ggl,knn (default: all)"},
		{"truth", "the true graph, if it is known: count right edges"},
		{"transpose", shortTranspose},
		{"rows", shortRows},
		{"difference", shortDifference},
		{"edges", "keep only the N heaviest edges of each"},
		{"folds", "rank by N-fold cross-validation; 0: no ranking"},
		{"time-limit", "cut off each method after TIME, such as 5m"},
		{"out", "also write the comparison to FILE.json or FILE.csv"},
		{"json", ""},
	},
	"plan": {
		{"graph", "assume this graph instead of a learned one"},
		{"recall", "share of the edges to find"},
		{"signals", "numbers of signals to try, such as 100,200,400"},
		{"method", shortMethod},
		{"transpose", shortTranspose},
		{"difference", shortDifference},
		{"plot", "draw the plan to FILE"},
		{"out", "also write the plan to FILE.json or FILE.csv"},
		{"json", ""},
	},
	"batch": {
		{"list", "read more names of files from FILE"},
		{"out", "write to DIR"},
		{"report", "write a page for each graph, and one for all"},
		{"each", "choose everything for each file by itself"},
		{"method", shortMethod},
		{"edges", "keep only the N heaviest edges of each graph"},
		{"transpose", shortTranspose},
		{"difference", shortDifference},
		{"cluster", shortCluster},
	},
	"generate": {
		{"graph", "kind of random graph: er, rbf, ba, sbm, grid or ring"},
		{"vertices", "number of vertices"},
		{"signals", "number of signals"},
		{"sparsity", "number of atoms in each signal"},
		{"noise", "standard deviation of the noise, relative to the signals'"},
		{"kind", "kind of signals: sparse, field, messy, fmri or changing"},
		{"seed", "another S draws another graph and other signals"},
		{"out", "write to DIR"},
	},
	"run": {
		{"threads", shortThreads},
		{"quiet", shortQuiet},
		{"progress", "how to show progress: auto, plain, json or none"},
		{"checkpoint", "save the run to DIR, so that it can go on"},
		{"resume", "go on from there"},
		{"cluster", shortCluster},
	},
	"serve": {
		{"host", "listen on address ADDR; 0.0.0.0 for all of this machine"},
		{"port", "listen on port N; 0: any that is free"},
		{"open", "open the page in the browser"},
		{"jobs", "how many jobs run at a time"},
		{"max-upload", "largest upload, such as 1GB"},
		{"max-memory", "memory for each job, such as 4GB"},
		{"export", "write a static site to DIR, and end"},
	},
	"filter": {
		{"denoise", "remove noise; a larger TAU removes more (default: chosen)"},
		{"kernel", "apply a kernel instead, such as heat:2"},
		{"summary", "use the field in the summary of nervure learn"},
		{"transpose", shortTranspose},
		{"out", "write the signals to FILE (default: standard output)"},
		{"spectrum", "write the energy at each frequency to FILE"},
		{"quiet", shortQuiet},
	},
	"fill": {
		{"tau", "how far to smooth (default: chosen)"},
		{"summary", "use the field in the summary of nervure learn"},
		{"transpose", shortTranspose},
		{"out", "write the signals to FILE (default: standard output)"},
		{"quiet", shortQuiet},
	},
	"encode": {
		{"model", "the file that nervure learn --model has written"},
		{"codes", "write the codes of the signals to FILE"},
		{"out", "write the signals without noise and gaps to FILE"},
		{"residuals", "write what does not fit in to FILE"},
		{"transpose", shortTranspose},
		{"json", ""},
		{"quiet", shortQuiet},
	},
	"combine": {
		{"labels", "known labels of some vertices"},
		{"column", "column of the labels"},
		{"signals", "weigh by signals that are known at all vertices instead"},
		{"gamma", "noise of the labels (default: chosen)"},
		{"out", "write the combined graph to FILE"},
		{"predict", "write the labels that it predicts to FILE"},
	},
	"plot": {
		{"kind", "graph, weights, heatmap, atoms, kernels, spectrum …"},
		{"title", ""},
		{"width", "width in mm"},
		{"vertices", "read coordinates and more of the vertices from FILE"},
		{"color", "colour vertices by COLUMN of that table"},
		{"directed", "edges of a .csv are arrows from source to target"},
		{"out", "draw to FILE: .svg, .png or .pdf"},
	},
	"worker": {
		{"cluster", "join the NATS server at URL"},
		{"threads", "number of tasks at a time (default: one for each core)"},
		{"idle", "end after TIME without a task; 0: never (default 10m)"},
		{"quiet", shortQuiet},
		{"token-file", "read the server's token from FILE"},
		{"tls-ca", "trust the certificates in FILE"},
	},
	"reproduce": {
		{"instances", "use at most N graphs for each result, for a quick look"},
		{"out", "write to DIR"},
		{"threads", shortThreads},
		{"progress", "how to show progress: auto, plain or none"},
		{"cluster", shortCluster},
	},
}

// UsualFlags returns the flags of a command that most people use, none if it has few.
func UsualFlags(cmd *cobra.Command) []Usual { return usual[cmd.Name()] }
