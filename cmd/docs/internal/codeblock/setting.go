package codeblock

import (
	_ "embed"
	"path/filepath"

	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/internal/repository"
)

// Readme and Gallery are the pages whose blocks run in a checkout.
const (
	Readme  = "README.md"
	Gallery = "docs/gallery.md"
)

// What bash reads before each command. The README names the command that runs this
// program, and must not run it again; on a page of the manual the tool is there
// already. python is the interpreter that the tests use.
const (
	withoutTests   = "make() { if [[ $1 != test ]]; then command make \"$@\"; fi; }\n"
	withoutInstall = "go() { [[ $1 == install ]]; }\n"
	withPython     = "python() { \"${NERVURE_PYTHON:-python3}\" \"$@\"; }\n"
)

// serving stops a server as soon as it answers.
//
//go:embed serving.sh
var serving string

// terminalFor is a terminal for the blocks of a page, in a directory that is empty.
func terminalFor(page, root, dir, tool string) (terminal.Terminal, error) {
	if page == Readme {
		bin := filepath.Join(dir, "bin")
		return terminal.Terminal{Dir: dir, Bin: bin, Env: []string{"GOBIN=" + bin}, Prelude: withoutTests}, repository.Copy(root, dir)
	}
	if page == Gallery {
		// The package runs the tool of this checkout, whichever came with it.
		env := []string{"HOME=" + dir, "NERVURE_BINARY=" + filepath.Join(tool, "nervure")}
		return terminal.Terminal{Dir: dir, Bin: tool, Env: env, Prelude: withPython}, repository.Copy(root, dir)
	}
	source, err := filepath.Abs(root) // for setup, where a page needs a file that is fetched
	return terminal.Terminal{Dir: dir, Bin: tool, Env: []string{"HOME=" + dir, "NERVURE_SOURCE=" + source}, Prelude: withoutInstall + serving}, err
}
