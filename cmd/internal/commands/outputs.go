package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// An output is a file that a command is to write.
type output struct {
	flag  string                  // which asked for it, such as "--out"
	path  string                  // "" if it was not
	check func(path string) error // of the name; nil if any will do
	write func(path string) error
}

// checkOutputs finds out what can be known before the work: that names have an
// extension we can write, that no two outputs are the same file nor one of the
// inputs, and that the files can be written. Nothing is changed.
func checkOutputs(outputs []output, inputs ...string) error {
	for i, o := range outputs {
		if o.path == "" {
			continue
		}
		for _, in := range inputs {
			if o.path != "-" && sameFile(o.path, in) {
				return arguments.Misuse("%s %s would overwrite an input file", o.flag, o.path)
			}
		}
		for _, other := range outputs[:i] {
			if sameFile(o.path, other.path) {
				return arguments.Misuse("%s and %s name the same file, %s", other.flag, o.flag, o.path)
			}
		}
		if o.path != "-" { // standard output
			if err := checkWritable(o.path); err != nil {
				return err
			}
		}
		if o.check != nil {
			if err := o.check(o.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeOutputs writes every output it can and returns what went wrong, and the
// paths that were written. That one cannot be made, such as a page, costs no other.
func writeOutputs(ctx context.Context, outputs []output) (written []string, err error) {
	var faults []error
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		err := whenRead(ctx, o.path, func() error {
			return guard.Run("writing "+o.path, func() error { return o.write(o.path) })
		})
		if err := views.IgnoreReaderLeft(err); err != nil {
			faults = append(faults, err)
			continue
		}
		written = append(written, o.path)
	}
	return written, errors.Join(faults...)
}

// printed encodes something to a stream.
func printed(w io.Writer, encode func(io.Writer) error) error {
	b := bufio.NewWriter(w)
	if err := encode(b); err != nil {
		return err
	}
	return b.Flush()
}

// printGraph writes an edge list to a stream.
func printGraph(w io.Writer, g *graph.Graph) error {
	return printed(w, func(w io.Writer) error { return dataio.EncodeGraph(w, dataio.CSV, g) })
}

// writeSignals writes signals by their extension, and as CSV to a device.
func writeSignals(path string, set *signals.Set) error {
	if !isDevice(path) {
		return dataio.WriteSignals(path, set)
	}
	return dataio.WriteFile(path, func(w io.Writer) error { return dataio.EncodeSignals(w, dataio.CSV, set) })
}

// errRehearsal makes dataio.WriteFile go back on what it has begun.
var errRehearsal = errors.New("only a rehearsal")

// checkWritable goes through the motions of writing a file, up to the point
// where it would be replaced. A pipe or a device is left alone, for opening it
// is already noticed at its other end.
func checkWritable(path string) error {
	if isDevice(path) {
		return nil
	}
	err := dataio.WriteFile(path, func(io.Writer) error { return errRehearsal })
	if errors.Is(err, errRehearsal) {
		return nil
	}
	return err
}

// isDevice reports whether a path names a pipe, a terminal or the like.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// isFile reports whether there is a regular file of that name.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// writeGraph writes a graph by its extension, and as an edge list to a device,
// such as /dev/stdout or what >(…) stands for in a shell.
func writeGraph(path string, g dataio.GraphFile) error {
	if !isDevice(path) {
		return g.Write(path)
	}
	return dataio.WriteFile(path, func(w io.Writer) error { return g.Encode(w, dataio.CSV) })
}

// sameFile reports whether two paths name one file, which need not exist yet. Links are
// followed, also those to files that are still to be made.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	return a != "" && b != "" && durable.Place(a) == durable.Place(b)
}

// lookForReader is how often to look for one.
const lookForReader = 20 * time.Millisecond

// whenRead writes to a path. If that is a pipe, it waits for a reader first, but no longer
// than ctx lasts: opening the pipe would wait, too, and no signal would end that.
func whenRead(ctx context.Context, path string, write func() error) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return write()
	}
	for {
		hold, err := os.OpenFile(path, os.O_WRONLY|withoutWaiting, 0)
		if err == nil {
			defer hold.Close() // so that the reader stays until it is written
			return write()
		}
		if !errors.Is(err, syscall.ENXIO) {
			return write() // which says what is wrong
		}
		select {
		case <-ctx.Done():
			return views.Interrupted(fmt.Sprintf("nobody reads %s, to which nothing was written", path))
		case <-time.After(lookForReader):
		}
	}
}

// checkGraphName refuses a name whose extension is no format for graphs.
func checkGraphName(path string) error { return unlessDevice(path, dataio.WritesGraphs.Check) }

// checkSignalsName refuses a name whose extension is no format for signals.
func checkSignalsName(path string) error { return unlessDevice(path, dataio.WritesSignals.Check) }

// unlessDevice checks the name of a file; a device may be called anything.
func unlessDevice(path string, check func(path string) error) error {
	if isDevice(path) {
		return nil
	}
	return check(path)
}

// endsIn refuses names for a flag that do not end in one of the extensions.
func endsIn(flag string, extensions ...string) func(path string) error {
	return func(path string) error {
		if !isDevice(path) && !slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) {
			return arguments.Misuse("%s %s: want a file that ends in %s", flag, path, words.List(extensions, "or"))
		}
		return nil
	}
}

// toFile is how to write to a file what can be encoded.
func toFile(encode func(io.Writer) error) func(path string) error {
	return func(path string) error { return dataio.WriteFile(path, encode) }
}

// isTable reports whether a document can be written to a file of that name by asTable.
func isTable(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".json" || ext == ".csv" || isDevice(path)
}

// asTable is how to write a document to a file: as a table if the name ends in .csv, else as JSON.
func asTable(d interface{ WriteCSV(w io.Writer) error }) func(path string) error {
	return func(path string) error {
		if strings.ToLower(filepath.Ext(path)) == ".csv" {
			return dataio.WriteFile(path, d.WriteCSV)
		}
		return dataio.WriteFile(path, func(w io.Writer) error { return document.Write(w, d) })
	}
}
