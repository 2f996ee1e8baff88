package commands

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/needs"
)

const (
	clusterPage = "../../../docs/cluster.md"
	deployments = "../../../docs/deploy"
)

// docs/cluster.md shows the files of docs/deploy as they are.
// `go test ./cmd/internal/commands -run ClusterPage -update` copies them.
func TestClusterPageShowsTheDeployments(t *testing.T) {
	have, err := os.ReadFile(clusterPage)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	block := regexp.MustCompile("(?s)<!-- deploy/(\\S+) -->\n```text\n.*?```\n")
	want := block.ReplaceAllStringFunc(string(have), func(old string) string {
		name := block.FindStringSubmatch(old)[1]
		text, err := os.ReadFile(filepath.Join(deployments, name))
		if err != nil {
			t.Fatal(err)
		}
		shown++
		return fmt.Sprintf("<!-- deploy/%s -->\n```text\n%s```\n", name, text)
	})
	if files, err := os.ReadDir(deployments); err != nil || shown != len(files) {
		t.Errorf("the page shows %d files of deploy, which has %d (%v)", shown, len(files), err)
	}
	if want == string(have) {
		return
	}
	if !*updateFiles {
		t.Fatal("docs/cluster.md shows other files than deploy has: run go test ./cmd/internal/commands -run ClusterPage -update")
	}
	if err := os.WriteFile(clusterPage, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The schema is the one that Kubernetes publishes, as the Python package
// kubernetes-validate has it, without anything that it does not name.
func TestKubernetesJobFollowsTheSchema(t *testing.T) {
	file := filepath.Join(deployments, "kubernetes.yaml")
	validate := func(path string) (string, error) {
		out, err := exec.CommandContext(t.Context(), needs.Python(), "-m", "kubernetes_validate", "--strict", path).CombinedOutput()
		return string(out), err
	}
	out, err := validate(file)
	if err != nil && strings.Contains(out, "No module named") || strings.Contains(fmt.Sprint(err), "executable file not found") {
		needs.LeaveOut(t, "there is no kubernetes-validate for Python")
	}
	if err != nil {
		t.Errorf("%s%v", out, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte(strings.Replace(string(text), "parallelism", "paralelism", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := validate(bad); err == nil || !strings.Contains(out, "paralelism") {
		t.Errorf("a slip of the pen is not noticed: %s", out)
	}
}

// The flags in the files of deploy are those of worker.
func TestDeploymentsUseFlagsOfWorker(t *testing.T) {
	flags := newWorker(views.Console{}).Flags()
	for _, name := range []string{"slurm.sbatch", "kubernetes.yaml"} {
		text, err := os.ReadFile(filepath.Join(deployments, name))
		if err != nil {
			t.Fatal(err)
		}
		_, command, _ := strings.Cut(string(text), "worker --cluster")
		if name == "kubernetes.yaml" {
			_, command, _ = strings.Cut(string(text), "args:")
		}
		used := regexp.MustCompile(`--([a-z-]+)[= ]`).FindAllStringSubmatch("--cluster "+command, -1)
		if len(used) < 5 {
			t.Errorf("%s has %d flags", name, len(used))
		}
		for _, m := range used {
			if flags.Lookup(m[1]) == nil {
				t.Errorf("%s: worker has no flag --%s", name, m[1])
			}
		}
	}
}

// slurm starts Slurm on this machine, with all that is its own in a directory, and returns
// the environment for its commands.
func slurm(t *testing.T, dir string) []string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
SlurmUser=root
AuthInfo=socket=%[2]s/munge.sock
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/slurmd.log
MpiDefault=none
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
`, host, dir, checks.FreeAddress(t).Port, checks.FreeAddress(t).Port)
	for name, text := range map[string]string{"slurm.conf": conf, "munge.key": strings.Repeat("k", 1024)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))
	for _, args := range [][]string{
		{
			"munged", "--foreground", "--force", "--key-file=" + dir + "/munge.key", "--socket=" + dir + "/munge.sock",
			"--pid-file=" + dir + "/munged.pid", "--log-file=" + dir + "/munged.log", "--seed-file=" + dir + "/munge.seed",
		},
		{"slurmctld", "-D"},
		{"slurmd", "-D"},
	} {
		daemon := exec.Command(args[0], args[1:]...)
		daemon.Env = env
		if err := daemon.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = daemon.Process.Signal(os.Interrupt)
			ended := time.AfterFunc(time.Minute, func() { _ = daemon.Process.Kill() })
			_ = daemon.Wait()
			ended.Stop()
		})
		if args[0] == "munged" {
			eventually(t, "munged listens", func() bool {
				_, err := os.Stat(dir + "/munge.sock")
				return err == nil
			})
		}
	}
	eventually(t, "Slurm has a node", func() bool {
		out, err := said(t.Context(), env, dir, "sinfo", "--noheader", "--format=%t")
		return err == nil && strings.TrimSpace(out) == "idle"
	})
	return env
}

func said(ctx context.Context, env []string, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = env, dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for begun := time.Now(); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > 10*time.Minute {
			t.Fatalf("in vain: %s", what)
		}
	}
}

// The array of the manual does the work of a batch.
func TestSlurmArrayDoesTheWork(t *testing.T) {
	needs.Long(t, "Slurm is started")
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("left out: only root can start Slurm, on Linux")
	}
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "openssl"} {
		if _, err := exec.LookPath(name); err != nil {
			needs.LeaveOut(t, "there is no "+name)
		}
	}
	script, err := filepath.Abs(filepath.Join(deployments, "slurm.sbatch"))
	if err != nil {
		t.Fatal(err)
	}
	dir, tool := t.TempDir(), buildTool(t)
	env := append(slurm(t, dir), "PATH="+filepath.Dir(tool)+string(os.PathListSeparator)+os.Getenv("PATH"))
	do := func(name string, args ...string) {
		t.Helper()
		if out, err := said(t.Context(), env, dir, name, args...); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	do("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=head", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "ca.pem")
	if err := os.WriteFile(filepath.Join(dir, "token.txt"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files []string
	for k := range 4 {
		name := fmt.Sprint("subject", k)
		do(tool, "generate", "--graph", "er", "--vertices", "10", "--signals", "60", "--seed", fmt.Sprint(k), "--out", name)
		files = append(files, name+"/signals.csv")
	}
	do(tool, append([]string{"batch", "--out", "here"}, files...)...)
	addr := checks.FreeAddress(t).String()
	do("sbatch", "--array=1-2", "--cpus-per-task=1", "--export=ALL,NERVURE_CLUSTER=tls://"+addr, script)
	do(tool, append([]string{"batch", "--out", "there", "--cluster", "listen:" + addr, "--token-file", "token.txt", "--tls-cert", "ca.pem", "--tls-key", "key.pem"}, files...)...)
	for k := range 4 {
		do("cmp", fmt.Sprintf("here/subject%d_signals.csv", k), fmt.Sprintf("there/subject%d_signals.csv", k))
	}
	do("scancel", "--user=root")
	eventually(t, "the array ends", func() bool {
		out, err := said(t.Context(), env, dir, "squeue", "--noheader")
		return err == nil && out == ""
	})
	if logs, err := filepath.Glob(filepath.Join(dir, "slurm-*_*.out")); err != nil || len(logs) == 0 { // the second may come too late for so little work
		t.Errorf("workers left %q, %v", logs, err)
	}
}
