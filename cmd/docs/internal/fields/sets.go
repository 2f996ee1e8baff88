package fields

import (
	"path/filepath"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// Networks are the power grids and water networks that python/benchmarks/networks.py draws:
// those that are scored. They were chosen before anything was learned from them.
var Networks = []struct{ Name, Kind string }{
	{"case14", grids},
	{"GBreducednetwork", grids},
	{"case30", grids},
	{"case57", grids},
	{"case118", grids},
	{"Net2", pipes},
	{"Net3", pipes},
}

// What is measured in networks.
const (
	grids = "power grid, voltage angles"
	pipes = "water network, heads"
)

// Scans is the folder of simulated brain scans in the directory of real sets.
const Scans = "netsim"

// sets returns the sets of the directories there are.
func (m Measurement) sets() ([]job, error) {
	var all []job
	if m.Networks != "" {
		for _, s := range Networks {
			all = append(all, plain(m.Networks, s.Name, "signals.npy", "network"))
		}
	}
	if m.Data == "" {
		return all, nil
	}
	for _, s := range realdata.Sets {
		all = append(all, job{record: Record{Set: s.Name}, words: []string{"set", s.Name}, read: func() (*nervure.Signals, records.Target, error) {
			return s.Read(m.Data)
		}})
	}
	folders, err := filepath.Glob(filepath.Join(m.Data, Scans, "sim*"))
	for _, f := range folders {
		all = append(all, plain(m.Data, Scans+"/"+filepath.Base(f), "signals.csv", "set", Scans))
	}
	return all, err
}

// plain is a set of two files: signals, and the true edges.
func plain(dir, name, file string, words ...string) job {
	return job{record: Record{Set: name}, words: append(words, name), read: func() (*nervure.Signals, records.Target, error) {
		return realdata.ReadPlain(filepath.Join(dir, filepath.FromSlash(name)), file)
	}}
}
