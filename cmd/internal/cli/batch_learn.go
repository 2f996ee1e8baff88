package cli

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/batch"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
)

// learnSettings are how batch learns, as its tasks carry it.
type learnSettings struct {
	Flags []string `json:"flags,omitempty"` // of nervure learn
	Known []string `json:"known,omitempty"` // the files that flags name; their contents come along
}

// learnSetup understands flags as nervure learn FILE does.
func learnSetup(file string, settings json.RawMessage, known [][]byte) (*batch.Setup, error) {
	var s learnSettings
	if err := json.Unmarshal(settings, &s); err != nil {
		return nil, err
	}
	cmd, f := &cobra.Command{}, &learnFlags{}
	f.define(cmd)
	if err := cmd.ParseFlags(s.Flags); err != nil {
		return nil, flagError(cmd, err)
	}
	f.out, f.summary = "graph.csv", "summary.json" // both show confidence
	r, err := f.resolve(file)
	if err != nil {
		return nil, err
	}
	if err := r.source.takeBesides(s.Known, known); err != nil {
		return nil, err
	}
	return &batch.Setup{
		Read:    r.source.options,
		Options: func(set *nervure.Signals) (nervure.Options, error) { return r.batchOptions(set, s.Known, known) },
		Explain: func(err error) error { return r.source.explain(err, r.params) },
		Command: r.command,
	}, nil
}

// batchOptions returns the options for some signals, with what is known about their
// vertices.
func (r *learnRun) batchOptions(set *nervure.Signals, paths []string, known [][]byte) (nervure.Options, error) {
	if !r.source.options.Transpose && slices.ContainsFunc(set.Findings(), looksTransposed) {
		r.source.hint = "if vertices are in rows, add --transpose"
	}
	set.Notes = r.source.note(console{}, true, set)
	var err error
	r.options.Known, err = r.known.read(set.Names, func(path string, names []string) (*graph.Graph, error) {
		return dataio.DecodeGraph(bytes.NewReader(known[slices.Index(paths, path)]), path, "", names)
	})
	return r.options, err
}
