// Package licence finds under which licences a module may be used.
package licence

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A mark is a phrase that only one licence has, in lower case and with single spaces.
// Licences are named as SPDX names them.
type mark struct{ phrase, licence string }

var marks = []mark{
	{"apache license version 2.0", "Apache-2.0"},
	{"licensed under the apache license, version 2.0", "Apache-2.0"},
	{"permission is hereby granted, free of charge, to any person obtaining a copy of this software", "MIT"},
	{"permission to use, copy, modify, and/or distribute this software for any purpose", "ISC"},
	{"mozilla public license version 2.0", "MPL-2.0"},
	{"this font software is licensed under the sil open font license, version 1.1", "OFL-1.1"},
	{"the freetype license, which is similar to the original bsd license", "(FTL OR GPL-2.0-or-later)"},
}

// The licence of Berkeley has a third clause or not.
const (
	bsd      = "redistribution and use in source and binary forms"
	bsdThird = "endorse or promote products"
)

var notWords = regexp.MustCompile(`[\s*#/]+`)

// Named returns the licences whose words are in a text, in alphabetical order.
func Named(text string) []string {
	text = notWords.ReplaceAllString(strings.ToLower(text), " ")
	var found []string
	for _, m := range marks {
		if strings.Contains(text, m.phrase) {
			found = append(found, m.licence)
		}
	}
	if strings.Contains(text, bsd) {
		if strings.Contains(text, bsdThird) {
			found = append(found, "BSD-3-Clause")
		} else {
			found = append(found, "BSD-2-Clause")
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Terms are the licences of a module and what they ask to pass on with a program.
type Terms struct {
	Expression string // SPDX: MIT, BSD-3-Clause AND OFL-1.1
	Text       string
}

var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([-._].*)?$`)
	licenceDir  = regexp.MustCompile(`(?i)^(licen[cs]es|third_party_licenses)$`)
)

// Of reads the terms of the module in a directory. A module without a licence that is
// known here is an error: somebody has to look at it.
func Of(dir string) (Terms, error) {
	own, err := read(dir, licenceFile)
	if err != nil {
		return Terms{}, err
	}
	if len(own) == 0 {
		return Terms{}, errors.New("there is no file with a licence")
	}
	names := Named(strings.Join(own, "\n"))
	if len(names) == 0 {
		return Terms{}, fmt.Errorf("no licence is known that begins %q", own[0][:min(60, len(own[0]))])
	}
	others, err := below(dir) // of parts that came from elsewhere
	return Terms{strings.Join(names, " AND "), strings.Join(append(own, others...), "\n\n")}, err
}

// read returns the texts of the files of a directory whose names fit, in their order.
func read(dir string, fits *regexp.Regexp) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !fits.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return texts, nil
}

// below returns the texts in the directory of licences that a module may have.
func below(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() && licenceDir.MatchString(e.Name()) {
			more, err := read(filepath.Join(dir, e.Name()), anyFile)
			if err != nil {
				return nil, err
			}
			texts = append(texts, more...)
		}
	}
	return texts, nil
}

var anyFile = regexp.MustCompile(``)
