package dataio

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Files that other software wrote, and whose bits are flipped, are refused where that
// refuses them, or say what they said; and nothing else is read than there.
func TestOtherSoftwareSaysTheSameOfFlippedBits(t *testing.T) {
	dir, s := t.TempDir(), flipSignals()
	if err := WriteSignals(filepath.Join(dir, "signals.npy"), s); err != nil {
		t.Fatal(err)
	}
	python(t, "numpy as np, scipy.io, pandas as pd, pyarrow as pa, pyarrow.parquet as pq", `
y = np.load("signals.npy")
names = ["sensor " + c for c in "abcde"]
scipy.io.savemat("scipy.mat", {"Y": y, "names": np.array(names, dtype=object)}, do_compression=True)
np.savez_compressed("compressed.npz", Y=y, names=np.array(names))
np.savez("stored.npz", Y=y, names=np.array(names))
frame = pd.DataFrame(y, columns=names)
frame.to_csv("pandas.csv.gz", index=False)
for codec in ["none", "snappy", "gzip", "zstd"]:
    for version in ["1.0", "2.0"]:
        pq.write_table(pa.Table.from_pandas(frame), f"{codec}-{version}.parquet", compression=codec, write_page_checksum=True, data_page_version=version)
`, dir)
	paths, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	var files []checked
	for _, path := range paths {
		f, _ := FormatOf(path)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := checked{name: filepath.Base(path), format: f, content: content}
		switch f {
		case NPY:
			continue
		case Parquet:
			c.spans = pageSpans(t, content)
		}
		files = append(files, c)
		for k := range *flips {
			content, _ := c.flipped(k)
			if err := os.WriteFile(filepath.Join(dir, flippedName(k, c.name)), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := python(t, "glob, json, warnings, numpy as np, scipy.io, pandas as pd, pyarrow.parquet as pq", `
warnings.simplefilter("ignore")
def read(path):
    if path.endswith(".mat"):
        m = scipy.io.loadmat(path)
        return m["Y"], [str(c[0]) for c in m["names"].ravel()]
    if path.endswith(".npz"):
        m = np.load(path)
        return m["Y"], m["names"].tolist()
    if path.endswith(".gz"):
        m = pd.read_csv(path)
    else:
        m = pq.read_table(path, page_checksum_verification=True).to_pandas()
    return m.values.astype(float), list(m.columns)
said = {}
for path in glob.glob("*.*"):
    try:
        y, names = read(path)
        said[path] = {"Y": y.tolist(), "names": names}
    except Exception:
        said[path] = None
print(json.dumps(said))`, dir)
	var theirs map[string]*struct {
		Y     [][]float64
		Names []string
	}
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	refusedThere, refusedHere := 0, 0
	for _, c := range files {
		want, err := c.said(c.content)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for k := range *flips {
			content, at := c.flipped(k)
			there := theirs[flippedName(k, c.name)]
			if there == nil {
				refusedThere++
			}
			here, err := c.said(content)
			if err != nil {
				refusedHere++
				continue
			}
			if here != want {
				t.Errorf("%s: %s is flipped, and something else is read; other software refuses it: %t", c.name, at, there == nil)
			}
			if there != nil && !sameAs(there.Y, there.Names, s.Y.T(), s.Names) {
				t.Errorf("%s: %s is flipped, and other software reads something else", c.name, at)
			}
		}
	}
	t.Logf("of %d flipped bits, other software refused %d and we %d", len(files)**flips, refusedThere, refusedHere)
}

func flippedName(k int, name string) string { return fmt.Sprintf("flip-%d-%s", k, name) }

func sameAs(y [][]float64, names []string, want mat.Matrix, wantNames []string) bool {
	if strings.Join(names, "|") != strings.Join(wantNames, "|") {
		return false
	}
	for i, row := range y {
		for j, v := range row {
			if math.Abs(v-want.At(i, j)) > 0 {
				return false
			}
		}
	}
	return true
}
