package realdata

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An outcome is how a command of the tool ended.
type outcome struct {
	made        bool // it wrote its file, which it may when it is interrupted too
	interrupted bool
}

// run runs the tool on the signals, with what a user would say about them. It is an
// error if ctx ends.
func (l *learning) run(ctx context.Context, command, out string, args ...string) (outcome, error) {
	path := filepath.Join(l.dir, out)
	if err := os.RemoveAll(path); err != nil { // of an earlier command
		return outcome{}, err
	}
	limited, cancel := context.WithTimeout(ctx, l.Limit)
	defer cancel()
	args = slices.Concat([]string{command, l.set.signals()}, l.set.Flags, args, []string{"--out", out, "--quiet"})
	cmd := exec.CommandContext(limited, l.Tool, args...)
	cmd.Dir = l.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	words, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(l.Log, "%s: nervure %s: %s", l.set.Name, strings.Join(args, " "), words)
	}
	_, none := os.Stat(path)
	return outcome{made: none == nil, interrupted: limited.Err() != nil}, nil
}
