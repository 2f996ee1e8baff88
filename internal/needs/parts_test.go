package needs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a directory of programs, all that .ci/parts can use: those of the
// system that it needs, and the given scripts. It runs as root, and time flies.
func machine(t *testing.T, scripts map[string]string) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"bash", "dirname", "mkdir", "tee", "grep", "head", "touch", "chmod", "env", "true"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]string{"id": "echo 0", "uname": "echo Linux", "sleep": "", "go": "echo cc"}
	for name, script := range scripts {
		all[name] = script
	}
	for name, script := range all {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!"+bin+"/bash\ncd "+bin+"\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

// parts runs .ci/parts for one part and returns what it says, what it notes, and
// how it ends.
func parts(t *testing.T, bin, ci, part string) (said, noted string, err error) {
	t.Helper()
	const script = "../../.ci/parts"
	if _, err := os.Stat(script); err != nil { // so that a change of the script is a change of this test
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "left-out.txt")
	cmd := exec.CommandContext(t.Context(), script, part)
	cmd.Env = []string{"PATH=" + bin, "CI=" + ci, "LEFT_OUT=" + file}
	out, err := cmd.CombinedOutput()
	text, fault := os.ReadFile(file)
	if fault != nil {
		t.Fatalf("%v\n%s", fault, out)
	}
	return string(out), string(text), err
}

// aptWhenFree installs chromium once the command, update or install, has been
// tried three times.
func aptWhenFree(command, words string) string {
	return `command=$2
if [[ $command == ` + command + ` && ! -e third ]]; then
	if [[ -e second ]]; then touch third; elif [[ -e first ]]; then touch second; else touch first; fi
	echo "W: something else" >&2; echo "` + words + `" >&2; exit 100
fi
if [[ $command == install ]]; then touch chromium; chmod +x chromium; fi`
}

func TestPartsWaitForAptsLocks(t *testing.T) {
	for name, apt := range map[string]string{
		"the lists":    aptWhenFree("update", "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"),
		"the packages": aptWhenFree("install", "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (dpkg)"),
		"dpkg":         aptWhenFree("install", "dpkg: error: dpkg frontend lock was locked by another process with pid 7"),
	} {
		bin := machine(t, map[string]string{"apt-get": apt})
		said, noted, err := parts(t, bin, "true", "browser")
		if err != nil || noted != "" || !strings.Contains(said, "browser: "+bin+"/chromium\n") || strings.Count(said, "waiting for another process that uses apt: ") != 1 {
			t.Errorf("%s: %v, noted %q, said\n%s", name, err, noted, said)
		}
	}
}

// A part that cannot be installed is a note, and in CI a failure.
func TestMissingPartsAreNotedOrFail(t *testing.T) {
	for name, c := range map[string]struct {
		part    string
		scripts map[string]string
		note    string
	}{
		"no such package": {"browser", map[string]string{"apt-get": "echo 'E: Unable to locate package' >&2; exit 100"}, "browser is left out: apt-get update failed: E: Unable to locate package\n"},
		"not root":        {"compiler", map[string]string{"id": "echo 1000", "apt-get": ""}, "compiler is left out: it needs gcc libc6-dev, and only root can install that, with apt-get\n"},
		"no apt":          {"browser", nil, "browser is left out: it needs chromium fonts-dejavu-core, and only root can install that, with apt-get\n"},
		"no effect":       {"browser", map[string]string{"apt-get": ""}, "browser is left out: it is installed, but does not work\n"},
	} {
		bin := machine(t, c.scripts)
		if said, noted, err := parts(t, bin, "", c.part); err != nil || noted != c.note || said != c.note {
			t.Errorf("%s: %v, noted %q, said %q, want %q", name, err, noted, said, c.note)
		}
		want := c.note + "CI=true allows nothing to be left out, but this is missing: " + c.part + "\n"
		if said, _, err := parts(t, bin, "true", c.part); err == nil || said != want {
			t.Errorf("%s with CI=true: %v, said %q, want %q", name, err, said, want)
		}
	}
}

// apt installs programs of these names.
func apt(programs ...string) string {
	return "if [[ $2 == install ]]; then touch " + strings.Join(programs, " ") + "; chmod +x " + strings.Join(programs, " ") + "; fi"
}

func TestProgramsAreInstalledWhereTheyAreMissing(t *testing.T) {
	for part, programs := range map[string][]string{
		"octave": {"octave-cli"}, "r": {"Rscript"}, "node": {"node"}, "pdf": {"pdftotext"}, "qemu": {"qemu-aarch64-static"},
		"slurm": {"slurmctld", "munged", "openssl"},
	} {
		bin := machine(t, map[string]string{"apt-get": apt(programs...)})
		want := part + ": " + bin + "/" + programs[0] + "\n"
		if said, noted, err := parts(t, bin, "true", part); err != nil || noted != "" || said != want {
			t.Errorf("%v, noted %q, said %q, want %q", err, noted, said, want)
		}
	}
}

// Somebody who is not root installs nothing, unless this is CI and sudo asks for no
// password.
func TestSudoInstallsInCIAlone(t *testing.T) {
	scripts := map[string]string{"id": "echo 1000", "apt-get": apt("node"), "sudo": `exec "${@:2}"`}
	bin := machine(t, scripts)
	const note = "node is left out: it needs nodejs, and only root can install that, with apt-get\n"
	if said, noted, err := parts(t, bin, "", "node"); err != nil || noted != note {
		t.Errorf("%v, noted %q, said %q", err, noted, said)
	}
	if said, noted, err := parts(t, bin, "true", "node"); err != nil || noted != "" || said != "node: "+bin+"/node\n" {
		t.Errorf("with CI=true: %v, noted %q, said %q", err, noted, said)
	}
	scripts["sudo"] = "exit 1"
	if said, noted, err := parts(t, machine(t, scripts), "true", "node"); err == nil || noted != note {
		t.Errorf("with CI=true and a password: %v, noted %q, said %q", err, noted, said)
	}
}

// What a system cannot have is noted, but no fault of it.
func TestSlurmIsLeftOutWhereItCannotRun(t *testing.T) {
	for name, scripts := range map[string]map[string]string{
		"not root":  {"id": "echo 1000", "slurmctld": "", "munged": "", "openssl": ""},
		"not Linux": {"uname": "echo Darwin", "slurmctld": "", "munged": "", "openssl": ""},
	} {
		const note = "slurm is left out: only root can start it, on Linux\n"
		if said, noted, err := parts(t, machine(t, scripts), "true", "slurm"); err != nil || noted != note || said != note {
			t.Errorf("%s: %v, noted %q, said %q", name, err, noted, said)
		}
	}
}
