package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/nervure/nervure/cmd/release/internal/licence"
)

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
