package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A source is a commit, and its files in a directory of their own. What is not
// committed is in no release.
type source struct {
	commit  string
	created time.Time // of the commit
	dir     string
}

// checkOut writes the files of the last commit of the repository at root to dir.
func checkOut(ctx context.Context, root, dir string) (source, error) {
	head, err := output(ctx, root, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return source{}, err
	}
	commit, seconds, _ := strings.Cut(strings.TrimSpace(string(head)), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return source{}, fmt.Errorf("git says %q", head)
	}
	files, err := output(ctx, root, nil, "git", "archive", "--format=tar", commit)
	if err != nil {
		return source{}, err
	}
	return source{commit, time.Unix(unix, 0).UTC(), dir}, extract(bytes.NewReader(files), dir)
}

// extract unpacks a tar file of git archive.
func extract(r io.Reader, dir string) error {
	in := tar.NewReader(r)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue // directories come with their files
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("git archive has a file %q", h.Name)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, h.Name), data, os.FileMode(h.Mode).Perm()); err != nil {
			return err
		}
	}
}

// write writes a file and the directories it lies in.
func write(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, mode)
}

// output runs a program in a directory, with more in its environment, and returns
// what it prints.
func output(ctx context.Context, dir string, env []string, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, said.String())
	}
	return out, nil
}
