package codeblock

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/internal/repository"
)

// Pages are the pages of the repository at root that have blocks to run.
func Pages(root string) ([]string, error) {
	manual, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	pages := []string{Readme}
	for _, path := range manual {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if len(Blocks(string(text))) > 0 {
			pages = append(pages, "docs/"+filepath.Base(path))
		}
	}
	return pages, nil
}

// A Runner runs the blocks of pages of a repository.
type Runner struct {
	Root   string
	Update bool      // write what console checked blocks print again
	Log    io.Writer // a line for each page, and for each block that is left out
}

// Run runs the blocks of pages, given by their paths in the repository. It is an
// error if a block fails, or does not print what its page shows.
//
// The blocks of the README run in a fresh copy of the repository; what go install
// puts down is on the path. Those of the gallery run in such a copy, too, with the
// tool on the path, and the figures that they make are those that the page shows.
// Those of another page of the manual run in an empty directory with the tool on the
// path. Many blocks wait, so that there are always two pages at a time, and more on a
// machine with more processors. They are told of in their order.
func (r Runner) Run(ctx context.Context, pages []string) error {
	return repository.WithTool(ctx, r.Root, func(bin string) error {
		type outcome struct {
			log   strings.Builder
			fault error
		}
		outcomes := make([]chan *outcome, len(pages))
		next := make(chan int, len(pages))
		for k := range pages {
			outcomes[k] = make(chan *outcome, 1)
			next <- k
		}
		close(next)
		for range max(2, runtime.GOMAXPROCS(0)) {
			go func() {
				for k := range next {
					var o outcome
					if err := r.page(ctx, pages[k], bin, &o.log); err != nil {
						o.fault = fmt.Errorf("%s: %w", pages[k], err)
					}
					outcomes[k] <- &o
				}
			}()
		}
		var faults []error
		for _, ended := range outcomes {
			o := <-ended
			fmt.Fprint(r.Log, o.log.String())
			faults = append(faults, o.fault)
		}
		return errors.Join(faults...)
	})
}

func (r Runner) page(ctx context.Context, path, tool string, log io.Writer) error {
	text, err := os.ReadFile(filepath.Join(r.Root, path))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "nervure-page-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	shell, err := terminalFor(path, r.Root, dir, tool)
	if err != nil {
		return err
	}
	s := &session{Terminal: shell, root: r.Root, update: r.Update}
	page := string(text)
	now := s.run(ctx, page)
	fmt.Fprintf(log, "%s: %d blocks run, %d left out\n", path, s.ran, len(s.leftOut))
	for _, reason := range s.leftOut {
		fmt.Fprintln(log, "  left out:", reason)
	}
	if len(s.faults) == 0 && path == Gallery {
		s.faults = append(s.faults, s.figures(page))
	}
	if r.Update && now != page && errors.Join(s.faults...) == nil {
		return os.WriteFile(filepath.Join(r.Root, path), []byte(now), 0o644)
	}
	return errors.Join(s.faults...)
}

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
	return terminal.Terminal{
		Dir: dir, Bin: tool, Env: []string{"HOME=" + dir, "NERVURE_SOURCE=" + source},
		Prelude: withoutInstall + serving,
	}, err
}

// picture is a figure that a page of the manual shows.
var picture = regexp.MustCompile(`\]\((figures/[^)]+\.svg)\)`)

// figures compares the figures that a page shows with those of the same names that
// its blocks have made, or puts these in their place. A figure that no block has made
// is left alone.
func (s *session) figures(page string) error {
	var faults []error
	for _, m := range picture.FindAllStringSubmatch(page, -1) {
		made, err := os.ReadFile(filepath.Join(s.Dir, filepath.Base(m[1])))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = s.figure(filepath.Join("docs", m[1]), made)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// figure compares one figure, or writes it.
func (s *session) figure(path string, made []byte) error {
	committed, err := os.ReadFile(filepath.Join(s.root, path))
	switch {
	case err == nil && outline(committed) == outline(made):
		return nil
	case s.update:
		to := filepath.Join(s.root, path)
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, made, 0o644))
	case err != nil:
		return err
	}
	return fmt.Errorf("%s is not what the page makes", path)
}

// Numbers in decimals and, in names, hexadecimals.
var digits = regexp.MustCompile(`[-\da-f.]*\d[-\da-f.]*`)

// outline is a figure without its numbers, which another machine may round
// differently.
func outline(figure []byte) string { return string(digits.ReplaceAll(figure, []byte("#"))) }
