package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/nervure/nervure/cmd/release/internal/archive"
	"github.com/nervure/nervure/cmd/release/internal/oci"
)

// Files of the repository that come with the program.
var companions = []string{"LICENSE", noticeFile, "README.md", "matlab/nervure.m", "r/nervure.R"}

// completions are the scripts for shells, and where people look for them.
var completions = map[string]string{"bash": "nervure.bash", "zsh": "_nervure", "fish": "nervure.fish", "powershell": "nervure.ps1"}

// documents are the files that come with the program on every platform: licences,
// man pages, completions, and what calls it from other languages. The program itself
// writes some of them, on the platform that this runs on.
func documents(ctx context.Context, s source, program string, parts []part, scratch string) ([]archive.File, error) {
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
	dir := filepath.Join(scratch, "man")
	if _, err := output(ctx, s.dir, nil, program, "man", dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		page, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: "man/man1/" + e.Name(), Mode: 0o644, Data: page})
	}
	return files, nil
}

// nobody is who the program runs as in a container: the number that images without a
// shell use by custom.
const nobody = 65532

// image is the container image: the program, its licences, a directory for data and
// one for temporary files. There is no shell, and nothing else to run.
func image(w io.Writer, s source, version string, built map[string]string, docs []archive.File) error {
	user := strconv.Itoa(nobody) + ":" + strconv.Itoa(nobody)
	settings := oci.Settings{
		Name: "nervure", Tag: version, Created: s.created, User: user, Dir: "/data",
		Entrypoint: []string{"/usr/local/bin/nervure"},
		Env:        []string{"PATH=/usr/local/bin", "HOME=/data"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "nervure",
			"org.opencontainers.image.version":  version,
			"org.opencontainers.image.revision": s.commit,
			"org.opencontainers.image.source":   home,
			"org.opencontainers.image.licenses": "BSD-3-Clause",
		},
	}
	root := []archive.File{
		{Name: "data/", Mode: 0o755, Owner: nobody},
		{Name: "tmp/", Mode: 0o777 | fs.ModeSticky},
		{Name: "etc/passwd", Mode: 0o644, Data: []byte("nonroot:x:" + user + ":nonroot:/data:/nonexistent\n")},
		{Name: "etc/group", Mode: 0o644, Data: []byte("nonroot:x:" + strconv.Itoa(nobody) + ":\n")},
	}
	for _, f := range docs {
		if f.Name == "LICENSE" || f.Name == noticesFile {
			f.Name = "usr/share/doc/nervure/" + f.Name
			root = append(root, f)
		}
	}
	var images []oci.Image
	for _, i := range []oci.Image{{Architecture: "amd64"}, {Architecture: "arm64", Variant: "v8"}} {
		program, err := os.ReadFile(built["linux/"+i.Architecture])
		if err != nil {
			return err
		}
		i.Files = append([]archive.File{{Name: "usr/local/bin/nervure", Mode: 0o755, Data: program}}, root...)
		images = append(images, i)
	}
	return oci.Write(w, settings, images)
}
