package repository

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build builds the tool from the checkout at root as dir/nervure.
func Build(ctx context.Context, root, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "nervure"), "./cmd/nervure")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the tool: %w\n%s", err, out)
	}
	return nil
}
