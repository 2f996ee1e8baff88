// Package reliability runs tests that try to break the tool, at their full size, and
// keeps what they count.
//
// Such a test says what it counts by attributes: "tried" is how many times something was
// done that must do no harm, "faults" how many times it did, which is none unless it says
// so, and "note" is a remark.
package reliability

import "strings"

// A Trial is one way to try to break the tool.
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
			"flips", "a bit of a file with a checksum is flipped", "it is read, and differs", 2000,
			[][]string{{"-run", "^TestFlippedBits", "./dataio", "-flips", "3000", "-flip-seed", "2"}},
		},
		{
			"calls", "one call to the file system fails, or is the last before the process dies", "an output is torn or lost, or something is left behind", 900,
			[][]string{
				{"-run", "^TestEveryCallToTheFileSystemMayFail$/^(learn|windows|generate|convert|batch|reproduce)", "./cmd/internal/cli", "-every-call"},
				{"-run", "^TestEveryCallToTheFileSystemMayFail$/^checkpoint", "./cmd/internal/cli"},
			},
		},
		{
			"families", "a small graph of a family (star, path, wheel, …) is learned, with no noise or a trace of it", "something is claimed that is not so", 960,
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
		list = append(list, "go test "+strings.Join(words, " "))
	}
	return list
}
