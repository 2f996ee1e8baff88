package viewer

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
)

// A Program is nervure for the browser.
type Program struct {
	Wasm []byte // built for GOOS=js GOARCH=wasm
	Exec []byte // wasm_exec.js of the Go that built it
}

// Export writes the page as static files that learn in the browser. They work
// from any host and any path on it.
func Export(dir string, c Config, p Program) error {
	files, err := siteFiles(pageConfig{Config: c, Backend: "browser"})
	if err != nil {
		return err
	}
	files["wasm_exec.js"] = p.Exec
	if files["nervure.wasm.gz"], err = gzipped(p.Wasm); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		err := dataio.WriteFile(path, func(w io.Writer) error {
			_, err := w.Write(files[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func gzipped(b []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}
