package viewer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A flagKind says what may follow a flag.
type flagKind int

const (
	aSwitch  flagKind = iota // nothing
	aWord                    // nothing, or a word after an equals sign
	aValue                   // a word, a number or a list of them; no file can be named by it
	aFile                    // a file of the job, or a sample
	anOutput                 // the file of that flag in outputs
)

// signalFlags and learnFlags, compareFlags are what the page may ask for. All else,
// above all what names a file elsewhere, is refused.
var (
	signalFlags = map[string]flagKind{
		"format": aValue, "variable": aValue, "transpose": aSwitch, "names": aFile,
		"log": aSwitch, "log-offset": aValue, "difference": aWord,
		"season": aValue, "detrend": aWord, "bad-sensors": aValue,
		"center": aValue, "scale": aValue, "common-mode": aValue,
		"kernel": aValue, "degree": aValue, "approx": aValue, "sparsity": aValue,
		"edges": aValue, "seed": aValue, "out": anOutput,
	}
	learnFlags = map[string]flagKind{
		"vertices": aFile, "allow": aFile, "forbid": aFile, "init": aFile, "prior": aFile, "prior-weight": aValue,
		"method": aValue, "param": aValue, "recipe": aValue, "coder": aValue, "rounds": aValue, "step": aValue, "beta": aValue,
		"threshold": aValue, "confidence": aValue, "block": aValue,
		"summary": anOutput, "report": anOutput,
	}
	compareFlags = map[string]flagKind{"truth": aFile, "methods": aValue, "folds": aValue}
)

// outputs names the file that each output flag of a command writes.
var outputs = map[string]map[string]string{
	"learn":   {"out": graphFile, "summary": "summary.json", "report": "report.html"},
	"compare": {"out": "comparison.json"},
}

// graphFile is what a learned graph is kept in: it has all vertices, their
// attributes and the confidence of edges.
const graphFile = "graph.json"

// plumbing is added to each command line: how it talks to the page, and that it
// stops when the page or the server goes away.
var plumbing = []string{"--progress", "json", "--until-eof"}

// flagOf returns what may follow a flag of a command.
func flagOf(command, name string) (flagKind, bool) {
	own := learnFlags
	if command == "compare" {
		own = compareFlags
	}
	for _, list := range []map[string]flagKind{signalFlags, own} {
		if kind, ok := list[name]; ok {
			return kind, true
		}
	}
	return 0, false
}

// Those that take milliseconds to make are made when there is a page.
var (
	plainValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[+A-Za-z0-9_.,:=][-+A-Za-z0-9_.,:=]{0,398}$`) })
	sampleName = regexp.MustCompile(`^sample:[a-z0-9]{1,40}$`)
	// A name of an upload is one that no file system or flag parser reads anything
	// else into, so that most files keep their name. No shell gets to see it.
	uploadName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\p{L}\p{M}\p{N}_(\[{@#][\p{L}\p{M}\p{N}_. (){}\[\]@#%&+,;=!'~-]{0,118}[\p{L}\p{M}\p{N}_)\]}-]$`)
	})
)

// checkUploadName refuses a name for an uploaded file.
func checkUploadName(name string) error {
	if !uploadName().MatchString(name) || strings.Contains(name, "..") {
		return fmt.Errorf("%q is not a valid file name: use letters, digits, spaces, dots, brackets, _ and -", name)
	}
	if slices.ContainsFunc(outputNames(), func(output string) bool { return strings.EqualFold(output, name) }) {
		return fmt.Errorf("%s is the name of a result file: rename the file", name)
	}
	return nil
}

// outputNames lists the files that jobs write.
func outputNames() []string {
	return []string{graphFile, "summary.json", "report.html", "comparison.json"}
}

// checkCommand refuses a command line that the page may not ask for. files are
// the names of the files the job has.
func checkCommand(args, files []string) error {
	if len(args) < 2 || outputs[args[0]] == nil {
		return fmt.Errorf("a job must be learn or compare with a signals file")
	}
	if len(args) > 200 {
		return fmt.Errorf("a job has at most 200 arguments, got %d", len(args))
	}
	command := args[0]
	if err := checkFile(args[1], files); err != nil {
		return err
	}
	for rest := args[2:]; len(rest) > 0; {
		flag, ok := strings.CutPrefix(rest[0], "--")
		name, word, given := strings.Cut(flag, "=")
		kind, known := flagOf(command, name)
		if !ok || !known || given && (kind != aWord || !plainValue().MatchString(word)) {
			return fmt.Errorf("%q is not allowed in a %s job", rest[0], command)
		}
		rest = rest[1:]
		if kind == aSwitch || kind == aWord {
			continue
		}
		if len(rest) == 0 {
			return fmt.Errorf("--%s has no value", name)
		}
		if err := checkValue(command, name, kind, rest[0], files); err != nil {
			return err
		}
		rest = rest[1:]
	}
	return nil
}

func checkValue(command, name string, kind flagKind, value string, files []string) error {
	switch {
	case kind == aFile:
		return checkFile(value, files)
	case kind == anOutput && value != outputs[command][name]:
		return fmt.Errorf("--%s of a job must be %s, got %q", name, outputs[command][name], value)
	case !plainValue().MatchString(value):
		return fmt.Errorf("--%s: %q is not a plain value", name, value)
	}
	return nil
}

// checkFile refuses what is neither a file of the job nor a sample.
func checkFile(name string, files []string) error {
	if sampleName.MatchString(name) || slices.Contains(files, name) {
		return nil
	}
	return fmt.Errorf("%q is not a file of this job: upload it first", name)
}
