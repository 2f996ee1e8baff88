package licence

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLicencesAreKnownByTheirWords(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"MIT, broken anywhere":         {"Permission is hereby granted, free of charge,\n\tto any person obtaining a copy\nof this software and", []string{"MIT"}},
		"BSD with two clauses":         {"Redistribution and use in source and binary forms, with or without", []string{"BSD-2-Clause"}},
		"BSD with three clauses":       {"Redistribution and use in source and binary forms … be used to endorse or promote products", []string{"BSD-3-Clause"}},
		"in comments":                  {"// Licensed under the Apache\n// License, Version 2.0", []string{"Apache-2.0"}},
		"two of them, each named once": {"Apache License Version 2.0 … licensed under the Apache License, Version 2.0 … Mozilla Public License Version 2.0", []string{"Apache-2.0", "MPL-2.0"}},
		"none":                         {"all rights reserved", nil},
	} {
		if got := Named(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTermsAreThoseOfAllFiles(t *testing.T) {
	const bsd2, ofl = "Redistribution and use in source and binary forms", "This Font Software is licensed under the SIL Open Font License, Version 1.1."
	got, err := Of(module(t, map[string]string{
		"LICENSE": bsd2 + "\r\n", "LICENSE-SIL": ofl,
		"THIRD_PARTY_LICENSES/Cephes": "by Moshier", "licence.go": "no", "licensing.md": "no",
	}))
	want := Terms{"BSD-2-Clause AND OFL-1.1", bsd2 + "\n\n" + ofl + "\n\nby Moshier"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, files := range []map[string]string{{"README": "free"}, {"LICENSE": "ask me"}} {
		if got, err := Of(module(t, files)); err == nil {
			t.Errorf("%v has the terms %+v", files, got)
		}
	}
}

// What the program is built from may be used.
func TestDependenciesHaveTerms(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Dir}}{{end}}",
		"github.com/nervure/nervure/cmd/nervure").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range slices.Compact(slices.Sorted(strings.FieldsSeq(string(out)))) {
		if _, err := Of(dir); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
