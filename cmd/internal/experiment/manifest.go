package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/durable"
)

// A manifest says all that the records of a directory depend on. It has no
// times and no paths: the same run on another day has the same manifest.
type manifest struct {
	Experiment string          `json:"experiment"`
	Title      string          `json:"title"`
	Claim      string          `json:"claim"`
	Source     string          `json:"source"`
	Instances  int             `json:"instances"`
	Build      Build           `json:"build"`
	Options    map[string]any  `json:"options"`
	Stages     []manifestStage `json:"stages"`
}

type manifestStage struct {
	Name  string   `json:"name"`
	Seeds Seeds    `json:"seeds"`
	Cells []string `json:"cells"`
}

func (e *Experiment) manifest(b Build) ([]byte, error) {
	m := manifest{
		Experiment: e.Name, Title: e.Title, Claim: e.Claim, Source: e.Source,
		Instances: e.Instances, Build: b, Options: e.Options,
	}
	for _, s := range e.Stages {
		stage := manifestStage{Name: s.Name, Seeds: s.Seeds}
		for _, c := range s.Cells {
			stage.Cells = append(stage.Cells, c.Name())
		}
		m.Stages = append(m.Stages, stage)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(m)
	return text.Bytes(), err
}

// A MismatchError is a directory that holds another run than the one wanted.
type MismatchError struct {
	Dir  string
	What string // in what the runs differ, such as "other stages"
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s holds results of another run (%s)", e.Dir, e.What)
}

const (
	manifestFile = "manifest.json"
	resultsFile  = "results.jsonl"
)

// Check says, without changing anything, whether [Run] would refuse the
// directory for the results of another run that are in it. Those who run
// several experiments ask before the first: it may take an hour.
func Check(e *Experiment, dir string) error {
	_, err := e.look(dir)
	return err
}

// look compares the manifest in a directory with that of e and returns the build
// that wrote it; a zero one if there is none. Without a manifest there must be no
// results.
func (e *Experiment) look(dir string) (Build, error) {
	path := filepath.Join(dir, manifestFile)
	have, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // making the directory says so
		// Results come after their manifest: those without one are not ours.
		if info, err := os.Stat(filepath.Join(dir, resultsFile)); err == nil && info.Size() > 0 {
			return Build{}, &MismatchError{dir, "they have no manifest"}
		}
		return Build{}, nil
	case err != nil:
		return Build{}, durable.Unusable(path, err)
	}
	want, err := e.manifest(Build{})
	if err != nil {
		return Build{}, err
	}
	return compare(dir, have, want)
}

// sign writes the manifest of this build.
func (e *Experiment) sign(dir string, b Build) error {
	text, err := e.manifest(b)
	if err != nil {
		return err
	}
	return dataio.WriteFile(filepath.Join(dir, manifestFile), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// compare says in what two manifests differ, builds aside.
func compare(dir string, have, want []byte) (Build, error) {
	var old manifest
	if err := json.Unmarshal(have, &old); err != nil {
		return Build{}, &MismatchError{dir, manifestFile + " is not a manifest"}
	}
	var a, b map[string]any
	if err := errors.Join(json.Unmarshal(have, &a), json.Unmarshal(want, &b)); err != nil {
		return Build{}, err
	}
	if a["experiment"] == b["experiment"] && a["instances"] != b["instances"] {
		return Build{}, &MismatchError{dir, fmt.Sprintf("%v instances, not %v", a["instances"], b["instances"])}
	}
	var differing []string
	for _, key := range []string{"experiment", "title", "claim", "source", "instances", "options", "stages"} {
		if !reflect.DeepEqual(a[key], b[key]) {
			differing = append(differing, key)
		}
	}
	if len(differing) > 0 {
		return Build{}, &MismatchError{dir, "other " + strings.Join(differing, ", ")}
	}
	return old.Build, nil
}

// ReadRecords returns the records that a run left in its directory, in the order they were begun to
// be measured; none if there was no run.
func ReadRecords(dir string) ([]Record, error) {
	path := filepath.Join(dir, resultsFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	list, err := durable.ReadJournal[Record](path)
	return latest(list), err
}

// latest keeps the last record of each cell and seed, in the place of the first.
func latest(list []Record) (kept []Record) {
	place := map[recordKey]int{}
	for _, r := range list {
		if k, again := place[r.key()]; again {
			kept[k] = r
			continue
		}
		place[r.key()] = len(kept)
		kept = append(kept, r)
	}
	return kept
}
