package viewer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

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
	_, err = w.Write(b)
	err = errors.Join(err, w.Close()) // before the bytes are looked at: closing writes the last of them
	return packed.Bytes(), err
}

const (
	module = "github.com/nervure/nervure"
	main   = module + "/cmd/nervure"
)

// Build makes the program for the browser with the Go toolchain: from the source
// around the working directory, or else of a released version, which is fetched.
func Build(ctx context.Context, version string) (Program, error) {
	var p Program
	if _, err := exec.LookPath("go"); err != nil {
		return p, errors.New("building the program for the browser needs Go: install it, or use --wasm and --wasm-exec")
	}
	dir, err := os.MkdirTemp("", "nervure-build-")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(dir)
	from := "." // where to build
	if _, err := runGo(ctx, from, "list", main); err != nil {
		if version == "" {
			return p, errors.New("this build of nervure has no released version: run it in its source directory, or use --wasm and --wasm-exec")
		}
		from = dir
		for _, args := range [][]string{{"mod", "init", "browser"}, {"get", main + "@v" + version}} {
			if _, err := runGo(ctx, from, args...); err != nil {
				return p, err
			}
		}
	}
	out := filepath.Join(dir, "nervure.wasm")
	if _, err := runGo(ctx, from, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, main); err != nil {
		return p, err
	}
	if p.Wasm, err = os.ReadFile(out); err != nil {
		return p, err
	}
	root, err := runGo(ctx, from, "env", "GOROOT")
	if err != nil {
		return p, err
	}
	p.Exec, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	return p, err
}

// runGo runs the go command for the browser and returns what it prints.
func runGo(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return "", fmt.Errorf("go %s failed: %s", args[0], first)
	}
	return strings.TrimSpace(string(out)), nil
}
