package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestVersionsAreSemantic(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "v1.2.3": "1.2.3", "0.1.0-rc.1": "0.1.0-rc.1",
		"": "", "1.2": "", "1.2.3.4": "", "01.2.3": "", "1.2.3+local": "", "1.2.3-": "", "latest": "", "vv1.2.3": "", "1.2.3;ls": "",
	} {
		if got, err := checkVersion(version); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", version, got, err)
		}
	}
}

// A release is of the commit: what lies about in the work tree is not in it.
func TestSourceIsTheCommit(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	put := func(name, text string, mode os.FileMode) {
		if err := write(filepath.Join(root, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=ann", "-c", "user.email=ann@example.org"}, args...)...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GIT_COMMITTER_DATE=@1700000000 +0100")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	put("a/b.txt", "committed", 0o600)
	put("run", "#!/bin/sh", 0o700)
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	put("a/b.txt", "changed", 0o600)
	put("new", "untracked", 0o600)
	s, err := checkOut(t.Context(), root, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.commit) != 40 || s.created.Unix() != 1_700_000_000 {
		t.Errorf("%+v", s)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a/b.txt")); err != nil || string(text) != "committed" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("an untracked file is in the release")
	}
	if info, err := os.Stat(filepath.Join(dir, "run")); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := checkOut(t.Context(), t.TempDir(), dir); err == nil {
		t.Error("a release without a repository")
	}
}

func TestMisuseIsRefused(t *testing.T) {
	for _, args := range [][]string{{}, {"--version", "1"}, {"--version", "1.2.3", "now"}} {
		if err := run(t.Context(), args); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
