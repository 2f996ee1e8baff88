package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/nervure/nervure/cmd/release/internal/archive"
	"github.com/nervure/nervure/cmd/release/internal/licence"
	"github.com/nervure/nervure/cmd/release/internal/recipe"
	"github.com/nervure/nervure/cmd/release/internal/sbom"
)

// build builds a version of the repository at root into a directory, which it empties
// first.
func build(ctx context.Context, root, version, out string) error {
	begin := time.Now()
	say := func(what string) { fmt.Printf("%4.0f s  %s\n", time.Since(begin).Seconds(), what) }
	scratch, err := os.MkdirTemp("", "nervure-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	s, err := checkOut(ctx, root, filepath.Join(scratch, "source"))
	if err != nil {
		return err
	}
	say("nervure " + version + " from commit " + s.commit)
	built, err := compileAll(ctx, s, version, filepath.Join(scratch, "built"), say)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	parts, err := partsOf(ctx, s, built)
	if err != nil {
		return err
	}
	docs, err := documents(ctx, s, built[host], parts, scratch)
	if err != nil {
		return err
	}
	d := dist{source: s, version: version, dir: out, archives: map[string]recipe.Archive{}}
	for _, stage := range []struct {
		name string
		do   func() error
	}{
		{"archives", func() error { return d.pack(built, docs) }},
		{"container image", func() error { return d.container(built, docs) }},
		{"bill of materials", func() error { return d.bill(parts) }},
		{"recipes", d.recipes},
		{"Python packages", func() error { return pythonPackages(ctx, s, version, built, parts, scratch, out) }},
		{"checksums", d.sums},
	} {
		if err := stage.do(); err != nil {
			return fmt.Errorf("%s: %w", stage.name, err)
		}
		say(stage.name)
	}
	return nil
}

// A dist is the directory of a release that is being built.
type dist struct {
	source
	version  string
	dir      string
	archives map[string]recipe.Archive // by platform
}

// create writes a file of the release and returns its checksum.
func (d *dist) create(name string, write func(io.Writer) error) (sum string, err error) {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(out.Bytes())), os.WriteFile(filepath.Join(d.dir, name), out.Bytes(), 0o644)
}

// pack writes an archive for each platform.
func (d *dist) pack(built map[string]string, docs []archive.File) error {
	for _, platform := range platforms {
		program, err := os.ReadFile(built[platform])
		if err != nil {
			return err
		}
		a := recipe.Named(d.version, platform)
		files := []archive.File{{Name: a.Dir + "/" + programName(platform), Mode: 0o755, Data: program}}
		for _, f := range docs {
			f.Name = a.Dir + "/" + f.Name
			files = append(files, f)
		}
		write := archive.TarGz
		if filepath.Ext(a.Name) == ".zip" {
			write = archive.Zip
		}
		a.SHA256, err = d.create(a.Name, func(w io.Writer) error { return write(w, files, d.created) })
		if err != nil {
			return err
		}
		d.archives[platform] = a
	}
	return nil
}

func (d *dist) container(built map[string]string, docs []archive.File) error {
	_, err := d.create("nervure_"+d.version+"_image.tar", func(w io.Writer) error { return image(w, d.source, d.version, built, docs) })
	return err
}

func (d *dist) bill(parts []part) error {
	terms, err := licence.Of(d.source.dir)
	if err != nil {
		return err
	}
	r := sbom.Release{
		Module: sbom.Module{Path: module, Version: "v" + d.version, Licence: terms.Expression},
		Commit: d.commit, Created: d.created,
	}
	for _, p := range parts {
		r.Parts = append(r.Parts, p.Module)
	}
	_, err = d.create("nervure_"+d.version+"_sbom.cdx.json", func(w io.Writer) error { return sbom.Write(w, r) })
	return err
}

// recipes writes the formula and the manifest.
func (d *dist) recipes() error {
	r := recipe.Release{Version: d.version, Home: home, Archive: d.archives}
	_, formula := d.create("nervure.rb", func(w io.Writer) error { return recipe.Homebrew(w, r) })
	_, manifest := d.create("nervure.json", func(w io.Writer) error { return recipe.Scoop(w, r) })
	return errors.Join(formula, manifest)
}

// sums writes the checksums of all files, as sha256sum -c takes them.
func (d *dist) sums() error {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return err
	}
	_, err = d.create("SHA256SUMS", func(w io.Writer) error {
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(d.dir, e.Name()))
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%x  %s\n", sha256.Sum256(data), e.Name())
		}
		return nil
	})
	return err
}

// pythonPackages builds the wheels, with the programs that were built and the licences
// of what they contain, and the sdist.
func pythonPackages(ctx context.Context, s source, version string, built map[string]string, parts []part, scratch, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	licences, notice := filepath.Join(scratch, noticesFile), filepath.Join(s.dir, noticeFile)
	if err := write(licences, notices(parts), 0o644); err != nil {
		return err
	}
	env := []string{"VERSION=" + version, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", s.created.Unix()), "PYTHONDONTWRITEBYTECODE=1"}
	backend := filepath.Join("python", "build_backend.py")
	for _, platform := range platforms {
		with := append([]string{
			"NERVURE_PROGRAM=" + built[platform],
			"NERVURE_NOTICES=" + licences + string(filepath.ListSeparator) + notice,
		}, env...)
		if _, err := output(ctx, s.dir, with, "python3", backend, "wheel", "--target", platform, "--out", out); err != nil {
			return err
		}
	}
	_, err = output(ctx, s.dir, env, "python3", backend, "sdist", "--out", out)
	return err
}
