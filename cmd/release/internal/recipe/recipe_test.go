package recipe

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const home = "https://github.com/nervure/nervure"

// release has archives whose hashes are their platforms.
func release() Release {
	r := Release{Version: "1.2.3", Home: home, Archive: map[string]Archive{}}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"} {
		a := Named(r.Version, platform)
		a.SHA256 = "hash of " + platform
		r.Archive[platform] = a
	}
	return r
}

func write(t *testing.T, recipe func(io.Writer, Release) error) string {
	t.Helper()
	var a, b strings.Builder
	if err := recipe(&a, release()); err != nil {
		t.Fatal(err)
	}
	if err := recipe(&b, release()); err != nil || a.String() != b.String() {
		t.Fatalf("two recipes differ, %v:\n%s%s", err, a.String(), b.String())
	}
	return a.String()
}

func TestFormulaHasEachArchiveWithItsHash(t *testing.T) {
	text := write(t, Homebrew)
	pairs := regexp.MustCompile(`on_(macos|linux) do\n|on_(arm|intel) do\n\s+url "(.*)"\n\s+sha256 "(.*)"`).FindAllStringSubmatch(text, -1)
	system, found := "", 0
	for _, p := range pairs {
		if p[1] != "" {
			system = map[string]string{"macos": "darwin", "linux": "linux"}[p[1]]
			continue
		}
		processor := map[string]string{"arm": "arm64", "intel": "amd64"}[p[2]]
		if want := home + "/releases/download/v1.2.3/nervure_1.2.3_" + system + "_" + processor + ".tar.gz"; p[3] != want ||
			p[4] != "hash of "+system+"/"+processor {
			t.Errorf("%s on %s: %s with %s", system, processor, p[3], p[4])
		}
		found++
	}
	if found != 4 || !strings.Contains(text, "\n  version \"1.2.3\"\n") {
		t.Errorf("%d archives in\n%s", found, text)
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		file := filepath.Join(t.TempDir(), "nervure.rb")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), ruby, "-c", file).CombinedOutput(); err != nil {
			t.Errorf("%s%v", out, err)
		}
	}
}

func TestManifestHasEachArchiveWithItsHash(t *testing.T) {
	type archive struct {
		URL, Hash string
		Dir       string `json:"extract_dir"`
	}
	var got struct {
		Version, Bin string
		Architecture map[string]archive
		Autoupdate   struct{ Architecture map[string]archive }
	}
	if err := json.Unmarshal([]byte(write(t, Scoop)), &got); err != nil {
		t.Fatal(err)
	}
	const dir = "nervure_1.2.3_windows_amd64"
	if want := (archive{home + "/releases/download/v1.2.3/" + dir + ".zip", "hash of windows/amd64", dir}); got.Architecture["64bit"] != want {
		t.Errorf("got %+v, want %+v", got.Architecture["64bit"], want)
	}
	next := got.Autoupdate.Architecture["64bit"]
	if strings.ReplaceAll(next.URL, "$version", "1.2.3") != got.Architecture["64bit"].URL ||
		strings.ReplaceAll(next.Dir, "$version", "1.2.3") != dir {
		t.Errorf("the next version is %+v", next)
	}
	if got.Version != "1.2.3" || got.Bin != "nervure.exe" {
		t.Errorf("%+v", got)
	}
}

func TestAMissingArchiveIsAnError(t *testing.T) {
	for _, recipe := range []func(io.Writer, Release) error{Homebrew, Scoop} {
		if err := recipe(io.Discard, Release{Version: "1.2.3", Home: home}); err == nil {
			t.Error("a recipe without archives")
		}
	}
}
