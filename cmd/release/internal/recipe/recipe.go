// Package recipe writes the files by which package managers install a release:
// a formula for Homebrew and a manifest for Scoop.
package recipe

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/template"
)

// A Release is what is installed.
type Release struct {
	Version string // without the v
	Home    string // address of the project
	Archive map[string]Archive
}

// An Archive is a file of the release for one platform, such as linux/amd64.
type Archive struct {
	Dir    string // what it unpacks to; the name of the file without its extension
	Name   string
	SHA256 string
}

// Named returns the archive of a version for a platform.
func Named(version, platform string) Archive {
	system, processor, _ := strings.Cut(platform, "/")
	a := Archive{Dir: "nervure_" + version + "_" + system + "_" + processor}
	a.Name = a.Dir + ".tar.gz"
	if system == "windows" {
		a.Name = a.Dir + ".zip"
	}
	return a
}

const about = "Learns the graph behind a set of signals"

// url is where an archive is published.
func (r Release) url(name string) string {
	return r.Home + "/releases/download/v" + r.Version + "/" + name
}

// get returns the archive for a platform.
func (r Release) get(platform string) (Archive, error) {
	a, ok := r.Archive[platform]
	if !ok {
		return a, fmt.Errorf("recipe: there is no archive for %s", platform)
	}
	return a, nil
}

// Homebrew removes the directory at the top of an archive by itself.
var formula = template.Must(template.New("").Parse(`# typed: false
# frozen_string_literal: true

class Nervure < Formula
  desc "{{.About}}"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "BSD-3-Clause"

  on_macos do
    on_arm do
      {{template "from" index .Source "darwin/arm64"}}
    end
    on_intel do
      {{template "from" index .Source "darwin/amd64"}}
    end
  end

  on_linux do
    on_arm do
      {{template "from" index .Source "linux/arm64"}}
    end
    on_intel do
      {{template "from" index .Source "linux/amd64"}}
    end
  end

  def install
    bin.install "nervure"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/nervure.bash" => "nervure"
    zsh_completion.install "completions/_nervure"
    fish_completion.install "completions/nervure.fish"
    pkgshare.install "matlab", "r"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/nervure version")
    assert_match "exact", shell_output("#{bin}/nervure learn sample:leaf --out graph.csv 2>&1")
    assert_path_exists testpath/"graph.csv"
  end
end
{{- define "from"}}url "{{.URL}}"
      sha256 "{{.SHA256}}"{{end}}
`))

type source struct{ URL, SHA256 string }

// Homebrew writes the formula.
func Homebrew(w io.Writer, r Release) error {
	sources := map[string]source{}
	for _, platform := range []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64"} {
		a, err := r.get(platform)
		if err != nil {
			return err
		}
		sources[platform] = source{r.url(a.Name), a.SHA256}
	}
	return formula.Execute(w, map[string]any{"About": about, "Home": r.Home, "Version": r.Version, "Source": sources})
}

type scoopArchive struct {
	URL     string `json:"url"`
	Hash    string `json:"hash,omitempty"`
	Extract string `json:"extract_dir"`
}

// Scoop writes the manifest.
func Scoop(w io.Writer, r Release) error {
	a, err := r.get("windows/amd64")
	if err != nil {
		return err
	}
	next := Named("$version", "windows/amd64")
	now := map[string]scoopArchive{"64bit": {r.url(a.Name), a.SHA256, a.Dir}}
	later := map[string]scoopArchive{"64bit": {Release{Version: "$version", Home: r.Home}.url(next.Name), "", next.Dir}}
	manifest := struct {
		Version      string                  `json:"version"`
		Description  string                  `json:"description"`
		Homepage     string                  `json:"homepage"`
		License      string                  `json:"license"`
		Architecture map[string]scoopArchive `json:"architecture"`
		Bin          string                  `json:"bin"`
		Checkver     string                  `json:"checkver"`
		Autoupdate   any                     `json:"autoupdate"`
	}{
		r.Version, about, r.Home, "BSD-3-Clause", now, "nervure.exe", "github",
		map[string]any{"architecture": later, "hash": map[string]string{"url": "$baseurl/SHA256SUMS"}},
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "    ")
	out.SetEscapeHTML(false)
	return out.Encode(manifest)
}
