package repository

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Build puts the tool of the checkout at root into a directory, as nervure or
// nervure.exe, and returns its path. It is built there, unless the environment variable
// NERVURE_BUILT names one: make builds it once for all tests.
func Build(ctx context.Context, root, dir string) (string, error) {
	name := "nervure"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	tool, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	if built := os.Getenv("NERVURE_BUILT"); built != "" {
		return tool, copyFile(built, tool)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", tool, "./cmd/nervure")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the tool: %w\n%s", err, out)
	}
	return tool, nil
}
