package viewer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
)

// graphFile is what a learned graph is kept in: it has all vertices, their
// attributes and the confidence of edges.
const graphFile = "graph.json"

// reportFile is a page about that graph.
const reportFile = "report.html"

// plumbing is added to each run: how it talks to the page, and that it
// stops when the page or the server goes away.
var plumbing = []string{"--progress", "json", "--until-eof"}

// Those that take milliseconds to make are made when there is a page.
var (
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
	return []string{graphFile, "summary.json", reportFile, "comparison.json"}
}

// checkRun refuses a run that the page may not ask for: above all what names a file
// elsewhere. files are the names of the files the job has.
func checkRun(r *document.Run, files []string) error {
	if err := r.Validate(); err != nil {
		return errors.New(withoutQuotes(input.Find(err).Msg))
	}
	if len(r.Read.Files) > 1 {
		return errors.New("a job has one file of signals")
	}
	for _, name := range slices.Concat(r.Read.Files, r.Besides(), []string{r.Read.Vertices}) {
		if err := checkFile(name, files); name != "" && err != nil {
			return err
		}
	}
	if r.Windows != (document.RunWindows{}) {
		return errors.New("windows is not allowed in a job")
	}
	own := r.Write
	for _, output := range []struct {
		key, name string
		to        *string
	}{
		{"graph", graphFile, &own.Graph},
		{"summary", "summary.json", &own.Summary},
		{"report", reportFile, &own.Report},
		{"comparison", "comparison.json", &own.Comparison},
	} {
		if *output.to != "" && *output.to != output.name {
			return fmt.Errorf("write.%s of a job must be %s, got %q", output.key, output.name, *output.to)
		}
		*output.to = ""
	}
	if own != (document.RunWrite{}) {
		return errors.New("a job writes a graph, a summary, a report or a comparison, and nothing else")
	}
	return nil
}

// withoutQuotes is a sentence about a document without marks for its keys.
func withoutQuotes(sentence string) string { return strings.ReplaceAll(sentence, "`", "") }

// checkFile refuses what is neither a file of the job nor a sample.
func checkFile(name string, files []string) error {
	if sampleName.MatchString(name) || slices.Contains(files, name) {
		return nil
	}
	return fmt.Errorf("%q is not a file of this job: upload it first", name)
}
