// Package terminal runs commands as a reader of the manual would type them.
package terminal

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// limit is how long a command may take. It only keeps a fault from hanging.
const limit = 20 * time.Minute

// A Terminal runs commands in a directory.
type Terminal struct {
	Dir     string
	Bin     string   // a directory whose programs come first
	Env     []string // NAME=VALUE, beside the environment of this process
	Prelude string   // what bash reads before each command
}

// Bash runs commands that bash reads and returns what they print on either stream.
// They end at the first that fails.
func (t Terminal) Bash(ctx context.Context, commands string) (string, error) {
	return t.Program(ctx, "bash", "-euo", "pipefail", "-c", t.Prelude+commands)
}

// Program runs a program and returns what it prints on either stream.
func (t Terminal) Program(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "NERVURE_PROGRESS=none", "PATH="+t.Bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, t.Env...)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Show runs commands, one in each line, and returns them with what they print, as
// it would look on a screen. It ends at the first that fails, with the error.
func (t Terminal) Show(ctx context.Context, commands string) (string, error) {
	var screen strings.Builder
	for command := range strings.Lines(commands) {
		out, err := t.Bash(ctx, command)
		screen.WriteString("$ " + command + out)
		if err != nil {
			return screen.String(), err
		}
	}
	return screen.String(), nil
}
