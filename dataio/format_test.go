package dataio

import (
	"slices"
	"strings"
	"testing"
)

// listedHere leaves in the table, while a test runs, the formats whose lists the
// tests spell out, so that a new format need not be told to them.
func listedHere(t *testing.T) {
	t.Helper()
	here := []Format{CSV, TSV, TXT, DAT, NodeLink, GraphML, GEXF, DOT, MatrixMarket, NPY, NPZ, MAT, XLSX, XLSM, Parquet}
	all := codecs
	t.Cleanup(func() { codecs = all })
	codecs = slices.DeleteFunc(slices.Clone(codecs), func(c *codec) bool { return !slices.Contains(here, c.format) })
}

func TestFormatsAreListedByWhatTheyCanDo(t *testing.T) {
	listedHere(t)
	for c, want := range map[Capability]string{
		ReadsSignals:      "csv tsv txt dat npy xlsx xlsm npz mat parquet",
		WritesSignals:     "csv tsv npy npz mat",
		HoldsMatrices:     "npy npz csv tsv mat",
		ReadsGraphs:       "csv tsv json graphml gexf mtx npy mat",
		WritesGraphs:      "csv tsv json graphml gexf dot mtx npy mat",
		ReadsVertexTables: "csv tsv",
		KeepsNames:        "csv tsv txt dat json graphml gexf dot mtx xlsx xlsm npz mat parquet",
		KeepsIsolated:     "json graphml gexf dot mtx npy mat",
		KeepsConfidence:   "csv tsv json graphml gexf dot",
		KeepsDirection:    "json graphml gexf dot",
		KeepsAttributes:   "json graphml gexf dot",
		HoldsVariables:    "xlsx xlsm npz mat",
		Gzips:             "csv tsv json graphml gexf dot mtx npy mat",
	} {
		var names []string
		for _, f := range Formats(c) {
			names = append(names, string(f))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("capability %d: got %s, want %s", c, got, want)
		}
	}
}

func TestEveryFormatIsDescribed(t *testing.T) {
	seen := map[int]Format{}
	for _, c := range codecs {
		if other, taken := seen[c.rank]; taken {
			t.Errorf("%s and %s have the same rank", other, c.format)
		}
		seen[c.rank] = c.format
		if about := c.format.Describe(); about.Name == "" || about.VariantOf != "" && codecOf(about.VariantOf) == nil {
			t.Errorf("%s: got %+v", c.format, about)
		}
		if c.can(HoldsMatrices) && !c.can(ReadsSignals) {
			t.Errorf("%s: matrices are written but cannot be read", c.format)
		}
	}
	if f := Format("xls"); f.Can(KeepsNames) || f.Describe() != (Description{}) {
		t.Errorf("%s is known: %+v", f, f.Describe())
	}
}

func TestUnknownFormatsAreAnsweredWithTheKnownOnes(t *testing.T) {
	listedHere(t)
	nothing := strings.NewReader("")
	_, err := DecodeSignals(nothing, "a.foo", ReadOptions{})
	wantFault(t, err, 0, 0, `a.foo: "foo" is not a known format for a signals file: use one of .csv, .tsv, .txt, .dat, .npy, .xlsx, .xlsm, .npz, .mat, .parquet`)
	_, err = DecodeSignals(nothing, "a.csv", ReadOptions{Format: "hdf5"})
	wantFault(t, err, 0, 0, `a.csv: a .hdf5 file cannot be read: save the array as .npy or .mat (v7), such as numpy.save("signals.npy", h5py.File(name)["signals"][:]) (files of signals are .csv, .tsv, .txt, .dat, .npy, .xlsx, .xlsm, .npz, .mat, .parquet)`)
	_, err = DecodeGraph(nothing, "a.dot", "", nil)
	wantFault(t, err, 0, 0, `a.dot: "dot" is not a known format for a graph file: use one of .csv, .tsv, .json, .graphml, .gexf, .mtx, .npy, .mat`)
	_, err = ReadMatrix("a")
	wantFault(t, err, 0, 0, `a: the name has no extension to tell the format of a matrix file by: use one of .npy, .npz, .csv, .tsv, .mat`)
	wantFault(t, HoldsMatrices.Check("a.json"), 0, 0, `a.json: "json" is not a known format for a matrix file: use one of .npy, .npz, .csv, .tsv, .mat`)
	err = WriteGraph("a.png", pathGraph(t))
	wantFault(t, WritesGraphs.Check("a.png"), 0, 0, err.Error())
	wantFault(t, err, 0, 0, `a.png: "png" is not a known format for a graph file: use one of .csv, .tsv, .json, .graphml, .gexf, .dot, .mtx, .npy, .mat`)
}

func TestFormatOfSeesThroughCaseAndCompression(t *testing.T) {
	for path, want := range map[string]Format{
		"a.csv": CSV, "dir.npy/a.TSV.GZ": TSV, "a.b.npz": NPZ, "a": "", "a.gz": "", ".csv": CSV, "a.xls": "xls",
	} {
		if got, _ := FormatOf(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if _, gz := FormatOf("a.csv.gz"); !gz {
		t.Error("a.csv.gz is not seen to be compressed")
	}
}
