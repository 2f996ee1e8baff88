package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/nervure/nervure/cmd/release/internal/licence"
	"github.com/nervure/nervure/cmd/release/internal/sbom"
)

// A part is a module that is in the programs, and its terms.
type part struct {
	sbom.Module
	text string // of its licences
}

// partsOf returns what the programs are made of, in the order of paths: the modules
// that are in any of them, and Go's standard library.
func partsOf(ctx context.Context, s source, built map[string]string) ([]part, error) {
	found := map[string]part{}
	for _, path := range built {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, d := range info.Deps {
			found[d.Path] = part{Module: sbom.Module{Path: d.Path, Version: d.Version, Sum: d.Sum}}
		}
		found["stdlib"] = part{Module: sbom.Module{Path: "stdlib", Version: "v" + strings.TrimPrefix(info.GoVersion, "go")}}
	}
	dirs, err := moduleDirs(ctx, s)
	if err != nil {
		return nil, err
	}
	var parts []part
	for path, p := range found {
		terms, err := licence.Of(dirs[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p.Licence, p.text = terms.Expression, terms.Text
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.Path, b.Path) })
	return parts, nil
}

// moduleDirs returns where Go keeps the modules, and its own source.
func moduleDirs(ctx context.Context, s source) (map[string]string, error) {
	list, err := output(ctx, s.dir, toolchain(host), "go", "list", "-m", "-json=Path,Dir", "all")
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{}
	for in := json.NewDecoder(bytes.NewReader(list)); in.More(); {
		var m struct{ Path, Dir string }
		if err := in.Decode(&m); err != nil {
			return nil, err
		}
		dirs[m.Path] = m.Dir
	}
	root, err := output(ctx, s.dir, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	dirs["stdlib"] = filepath.Clean(strings.TrimSpace(string(root)))
	return dirs, nil
}

// noticesFile is the name of the file with the notices.
const noticesFile = "THIRD-PARTY-LICENSES.txt"

// notices are the licences of all parts, which have to come with the program.
func notices(parts []part) []byte {
	var out bytes.Buffer
	out.WriteString("nervure contains the following software.\n")
	for _, p := range parts {
		fmt.Fprintf(&out, "\n%s\n%s %s\n%s\n%[1]s\n\n%[5]s\n", strings.Repeat("=", 80), p.Path, p.Version, p.Licence, p.text)
	}
	return out.Bytes()
}

// noticeFile lists what is in the programs. Versions are not in it, because go.mod has
// them.
const noticeFile = "NOTICE"

const noticeIntroduction = `Nervure
Copyright (c) 2026, the Nervure authors. LICENSE has the terms.

The programs contain the following software, under the licences beside it, named as
SPDX names them. Their texts come with every release, in ` + noticesFile + `.
make notice writes this file.

sample:molene is measured by Météo-France, January 2014, and cleaned by Benjamin Girault;
Licence Ouverte / Open Licence. examples/molene/README.md has the source.

`

// noticeOf writes the notice of the programs for all platforms.
func noticeOf(ctx context.Context, s source) ([]byte, error) {
	paths, err := linked(ctx, s)
	if err != nil {
		return nil, err
	}
	dirs, err := moduleDirs(ctx, s)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString(noticeIntroduction)
	rows := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, path := range paths {
		terms, err := licence.Of(dirs[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		fmt.Fprintf(rows, "%s\t%s\n", path, terms.Expression)
	}
	err = rows.Flush()
	return out.Bytes(), err
}

// linked returns the modules that are linked into the program on any platform, and
// Go's standard library, in the order of paths.
func linked(ctx context.Context, s source) ([]string, error) {
	found := map[string]bool{"stdlib": true}
	for _, platform := range platforms {
		list, err := output(ctx, s.dir, toolchain(platform), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/nervure")
		if err != nil {
			return nil, err
		}
		for path := range strings.FieldsSeq(string(list)) {
			found[path] = path != module
		}
	}
	maps.DeleteFunc(found, func(_ string, other bool) bool { return !other })
	return slices.Sorted(maps.Keys(found)), nil
}
