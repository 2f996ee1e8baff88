package measure

import "strings"

// A Trial is one way to try to break the tool: tests at their full size. Such a test says what it counts by
// attributes: "tried" is how many times something was done that must do no harm, "faults" how many times it
// did, which is none unless it says so, and "note" is a remark.
type Trial struct {
	Name  string // for the command line
	Title string // what is done
	Harm  string // what must not come of it
	Least int    // how many times it is to be tried, at least
	// Tests are arguments of go test, one list after another.
	Tests [][]string
}

// Trials are all of them.
func Trials() []Trial {
	return []Trial{
		{
			"kills", "a command is killed (kill -9): learn, convert and generate while they write, runs with a checkpoint, experiments, batches", "an output is torn, or the next run ends otherwise", 500,
			[][]string{
				{"-run", "KilledWriters", "./cmd/internal/commands", "-write-kills", "30"},
				{"-run", "KilledRuns", "./cmd/internal/commands", "-kills", "16"},
				{"-run", "Killed", "./cmd/internal/experiment", "-kills", "5"},
				{"-run", "KilledBatches", "./study", "-files", "40", "-kills", "40"},
			},
		},
		{
			"calls", "one call to the file system fails, or is the last before the process dies",
			"an output is torn or lost, or something is left behind", 900,
			[][]string{
				{
					"-run", "^TestEveryCallToTheFileSystemMayFail$/^(learn|windows|generate|convert|batch|reproduce)",
					"./cmd/internal/commands", "-every-call",
				},
				{"-run", "^TestEveryCallToTheFileSystemMayFail$/^checkpoint", "./cmd/internal/commands"},
			},
		},
		{
			"flips", "a bit of a file with a checksum is flipped", "the file is read, and differs", 2000,
			[][]string{{"-run", "^TestFlippedBits", "./dataio", "-flips", "3000", "-flip-seed", "2"}},
		},
		{
			"mutations", "a file is damaged: bytes, lengths, types, headers, ends, two files spliced; every format",
			"a panic, a hang, memory far beyond the file's size, an unreadable message", 20_000,
			[][]string{{"-run", "MutatedFiles", "./dataio", "-mutations", "20000"}},
		},
		{
			"readers", "a damaged file is also read by NumPy, SciPy, pandas or pyarrow", "both read it, and differ", 5000,
			[][]string{{"-run", "OtherSoftwareReadsDamagedFiles", "./dataio", "-compared", "5000"}},
		},
		{
			"fuzzing", "a parser is given what a fuzzer makes of its seeds, guided by coverage",
			"a panic, a hang, or an answer other than that of a second reader", 20_000_000,
			[][]string{{"-run", "^TestEveryTargetIsFuzzed$", "-skip", "/linalg", "./internal/house", "-fuzz-each", "1000000x"}},
		},
		{
			"extremes", "numbers at the ends of what a float can hold, and options at theirs",
			"a panic, or an output with something that is no number", 150,
			[][]string{{"-run", "Extreme", "./cmd/internal/commands", "-extremes", "1000", "-extreme-seed", "2"}},
		},
		{
			"attacks", "the page's server is attacked: paths, hosts, origins, tokens, sizes, bombs; scripts as names of files and vertices", "something is read, written, run or shown that must not be", 143 + 24,
			[][]string{{"-run", "^Test(NoAttackGetsThrough|NamesAreNeverMarkup|MalformedUploads)$", "./cmd/internal/viewer"}},
		},
		{
			"soak", "the page's server gets a request, for an hour",
			"an error of the server, a lost job, or growth of memory, files or goroutines", 10_000,
			[][]string{{"-run", "^TestTheServerDoesNotGrow$", "./cmd/nervure", "-soak", "1h"}},
		},
		{
			"processors", "a graph is learned by AVX-512, AVX2, without either, without assembly, on arm64 and by WebAssembly", "another graph", 30,
			[][]string{{"-run", "AllProcessors", "./cmd/nervure", "-processors"}},
		},
		{
			"families", "a small graph of a family (star, path, wheel, …) is learned, without noise or with a trace of it",
			"a graph is called exact that is not, a tenth of the sure edges is wrong (12 vertices), or a graph is not found that the signals determine", 960,
			[][]string{{"-run", "^TestSmallFamilies", ".", "-family-seeds", "20"}},
		},
	}
}

// Commands returns how to repeat the trial by hand.
func (t Trial) Commands() []string {
	var list []string
	for _, test := range t.Tests {
		words := make([]string, len(test))
		for k, word := range test {
			words[k] = word
			if strings.ContainsAny(word, "^$|()*") {
				words[k] = "'" + word + "'"
			}
		}
		list = append(list, "go test -count 1 -timeout 0 "+strings.Join(words, " "))
	}
	return list
}
