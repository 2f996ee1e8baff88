package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/nervure/nervure/cmd/release/internal/archive"
)

// Files of the repository that come with the program.
var companions = []string{"LICENSE", noticeFile, "README.md", "matlab/nervure.m", "r/nervure.R"}

// completions are the scripts for shells, and where people look for them.
var completions = map[string]string{"bash": "nervure.bash", "zsh": "_nervure", "fish": "nervure.fish", "powershell": "nervure.ps1"}

// documents are the files that come with the program on every platform: licences,
// man pages, completions, and what calls it from other languages. The program itself
// writes some of them, on the platform that this runs on.
func documents(ctx context.Context, s source, program string, parts []part) ([]archive.File, error) {
	files := []archive.File{{Name: noticesFile, Mode: 0o644, Data: notices(parts)}}
	for _, name := range companions {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: name, Mode: 0o644, Data: data})
	}
	for shell, name := range completions {
		script, err := output(ctx, s.dir, nil, program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: "completions/" + name, Mode: 0o644, Data: script})
	}
	pages, err := manPages(ctx, s, program)
	return append(files, pages...), err
}

func manPages(ctx context.Context, s source, program string) ([]archive.File, error) {
	dir, err := os.MkdirTemp("", "nervure-man-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := output(ctx, s.dir, nil, program, "man", dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []archive.File
	for _, e := range entries {
		page, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: "man/man1/" + e.Name(), Mode: 0o644, Data: page})
	}
	return files, nil
}
