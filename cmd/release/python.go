package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// pythonPackages builds the wheels, with the programs that were built and the licences
// of what they contain, and the sdist.
func pythonPackages(ctx context.Context, s source, version string, built map[string]string, parts []part, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "nervure-notices-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	licences := filepath.Join(scratch, noticesFile)
	if err := write(licences, notices(parts), 0o644); err != nil {
		return err
	}
	notice, err := filepath.Abs(filepath.Join(s.dir, noticeFile))
	if err != nil {
		return err
	}
	env := []string{"VERSION=" + version, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", s.created.Unix()), "PYTHONDONTWRITEBYTECODE=1"}
	backend := filepath.Join("python", "build_backend.py")
	for _, platform := range platforms {
		with := append([]string{"NERVURE_PROGRAM=" + built[platform], "NERVURE_NOTICES=" + licences + string(filepath.ListSeparator) + notice}, env...)
		if _, err := output(ctx, s.dir, with, "python3", backend, "wheel", "--target", platform, "--out", out); err != nil {
			return err
		}
	}
	_, err = output(ctx, s.dir, env, "python3", backend, "sdist", "--out", out)
	return err
}
