//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/cmd/internal/viewer"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/durable"
)

// exportSite writes the page as static files. If it cannot, no empty directory is
// left behind.
func (f *serveFlags) exportSite(ctx context.Context, c console) (err error) {
	if _, missing := os.Stat(f.export); missing != nil {
		defer func() {
			if err != nil {
				_ = durable.Remove(f.export) // which does nothing to one with files in it
			}
		}()
	}
	if err := durable.MakeDirectory(f.export); err != nil {
		return err
	}
	if err := checkWritable(filepath.Join(f.export, "index.html")); err != nil {
		return err
	}
	program, err := f.browserProgram(ctx, c)
	if ctx.Err() != nil {
		return &interruption{"nothing was written"}
	}
	if err != nil {
		return err
	}
	if err := viewer.Export(f.export, pageConfig(), program); err != nil {
		return err
	}
	fmt.Fprintf(c.err, "wrote %s: any static file host can serve it\n", f.export)
	return nil
}

// browserProgram builds nervure for the browser, or reads the one that was given.
func (f *serveFlags) browserProgram(ctx context.Context, c console) (viewer.Program, error) {
	if (f.wasm == "") != (f.wasmExec == "") {
		return viewer.Program{}, misuse("--wasm and --wasm-exec must be used together")
	}
	if f.wasm == "" {
		fmt.Fprintln(c.err, "building nervure for the browser …")
		return viewer.Build(ctx, build.Read().Released)
	}
	wasm, err := readGiven("--wasm", f.wasm)
	if err != nil {
		return viewer.Program{}, err
	}
	if !strings.HasPrefix(string(wasm[:min(len(wasm), 4)]), "\x00asm") {
		return viewer.Program{}, &input.Error{File: f.wasm, Msg: "this is not a WebAssembly file: build it with GOOS=js GOARCH=wasm"}
	}
	exec, err := readGiven("--wasm-exec", f.wasmExec)
	return viewer.Program{Wasm: wasm, Exec: exec}, err
}

func readGiven(flag, path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misuse("%s %s: there is no such file", flag, path)
	}
	return b, err
}
