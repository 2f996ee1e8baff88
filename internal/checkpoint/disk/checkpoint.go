// Package disk keeps the checkpoint of a run in a folder.
package disk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/durable"
)

// A Checkpoint is a folder that keeps what a run has come to, so that it can go on
// after its process has died:
//
//	id, err := nervure.RunIdentity(signals, options)
//	saved, err := disk.Open("run", id, disk.Options{Resume: true})
//	analysis, err := nervure.Learn(saved.Context(ctx), signals, options)
//	err = saved.Remove()
//
// Each piece is a file of its own, written whole or not at all, with its hash. Pieces
// that are no longer needed are deleted. Only one process can use a folder at a time,
// where the system has locks.
type Checkpoint struct {
	dir   string
	run   [sha256.Size]byte // hash of the identity: every piece has it
	every time.Duration

	resumed bool
	release func() // lets another process have the folder; nil if it can

	mu      sync.Mutex
	kept    map[string]bool   // keys on disk
	pending map[string][]byte // to be written
	gone    map[string]bool   // to be deleted from disk once these are
	next    time.Time         // when to write
	err     error             // the first that writing met
}

// Options are how to keep a run.
type Options struct {
	Resume bool // go on with what there is, if there is anything; otherwise there must be nothing
	// Every is the shortest time between two times of saving; zero means 2 s. Where
	// saving takes long, more time passes, so that it takes no more than a hundredth of
	// the run. If Every is negative, all is saved at once, whatever it takes.
	Every time.Duration
}

// DefaultEvery is the shortest time between two times of saving, unless told.
const DefaultEvery = 2 * time.Second

const (
	// savingShare is how many times as long as saving took passes before the next.
	savingShare = 100
	// headFile is the file that says whose pieces the others are.
	headFile = "run.json"
	// formatVersion is the version of all that.
	formatVersion = 1
)

// head is what run.json says.
type head struct {
	Format int `json:"nervure_checkpoint"`
	checkpoint.Identity
	Program string `json:"program"` // hash of the executable; "" if it cannot be read
}

// Open returns the checkpoint in a folder, which is made if it is not there,
// for a run of that identity. A checkpoint of another run, a damaged one, and a folder
// of other files are an *input.Error.
func Open(dir string, id checkpoint.Identity, o Options) (*Checkpoint, error) {
	want := head{formatVersion, id, build.This().Program}
	text, err := json.MarshalIndent(want, "", "  ")
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{
		dir: dir, run: sha256.Sum256(text), every: cmp.Or(o.Every, DefaultEvery),
		kept: map[string]bool{}, pending: map[string][]byte{}, gone: map[string]bool{},
	}
	c.next = time.Now().Add(c.every)
	if err := durable.MakeDirectory(dir); err != nil {
		return nil, err
	}
	if err := c.open(want, text, o.Resume); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// open takes the folder for the run that the head describes.
func (c *Checkpoint) open(want head, text []byte, resume bool) error {
	if _, _, err := c.files(); err != nil { // nothing is left in a folder of other files
		return err
	}
	release, busy, err := durable.LockDirectory(c.dir)
	switch {
	case err != nil:
		return durable.Unwritable(c.dir, err)
	case busy:
		return c.fault("another process is using this checkpoint: wait until it ends, or stop it")
	}
	c.release = release
	files, halves, err := c.files()
	if err != nil {
		return err
	}
	for _, name := range halves {
		_ = durable.RemoveAll(c.path(name)) // what is left of it harms nobody
	}
	if len(files) == 0 {
		return durable.WriteBytes(c.path(headFile), text)
	}
	if err := c.checkHead(want); err != nil {
		return err
	}
	if !resume {
		return c.fault("this folder has the checkpoint of a run that is not finished: add --resume to go on with it, or delete the folder to start over")
	}
	for _, name := range files {
		if name == headFile {
			continue
		}
		key, _, err := c.read(name)
		if err != nil {
			return err
		}
		c.kept[key], c.resumed = true, true
	}
	return nil
}

// Close lets another process go on with the run. What was not written is lost.
func (c *Checkpoint) Close() {
	if c.release != nil {
		c.release()
		c.release = nil
	}
}

// fault is a sentence about the folder.
func (c *Checkpoint) fault(format string, args ...any) error {
	return &input.Error{File: c.dir, Msg: fmt.Sprintf(format, args...)}
}

func (c *Checkpoint) path(name string) string { return filepath.Join(c.dir, name) }

// files lists the files of a checkpoint, and those that processes write or
// have left half written when they died. Others are an error.
func (c *Checkpoint) files() (names, halves []string, err error) {
	list, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, nil, c.fault("this folder cannot be read: %s", durable.Reason(err))
	}
	for _, entry := range list {
		if name := entry.Name(); durable.IsUnfinished(name) {
			halves = append(halves, name)
		} else {
			names = append(names, name)
		}
	}
	foreign := func(name string) bool { return name != headFile && filepath.Ext(name) != pieceExtension }
	if len(names) > 0 && (!slices.Contains(names, headFile) || slices.ContainsFunc(names, foreign)) {
		return nil, nil, c.fault("this folder has other files than those of a checkpoint: give an empty or a new one")
	}
	return names, halves, nil
}

// checkHead refuses the checkpoint of another run.
func (c *Checkpoint) checkHead(want head) error {
	text, err := os.ReadFile(c.path(headFile))
	if err != nil {
		return c.fault("this checkpoint cannot be read: %s", durable.Reason(err))
	}
	var got head
	if err := json.Unmarshal(text, &got); err != nil {
		return c.damaged(headFile)
	}
	if got.Format != want.Format || got.Program != want.Program {
		got.Build = "other"
	}
	if other := want.Difference(got.Identity); other != "" {
		return c.fault("this is the checkpoint of a run with %s: repeat that run, or delete the folder to start over", other)
	}
	if got != want {
		return c.damaged(headFile)
	}
	return nil
}

func (c *Checkpoint) damaged(name string) error {
	return c.fault("this checkpoint is damaged (%s): delete the folder to start over", name)
}

// Context returns a context like ctx, in which a run keeps its pieces in the folder.
func (c *Checkpoint) Context(ctx context.Context) context.Context { return checkpoint.With(ctx, c) }

// Resumed reports whether there was something to go on with when it was opened.
func (c *Checkpoint) Resumed() bool { return c.resumed }

// Load implements [checkpoint.Store]. A file that has been damaged since the checkpoint
// was opened counts as none.
func (c *Checkpoint) Load(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if data, ok := c.pending[key]; ok {
		return data, true
	}
	if !c.kept[key] {
		return nil, false
	}
	_, data, err := c.read(pieceName(key))
	return data, err == nil
}

// Save implements [checkpoint.Store].
func (c *Checkpoint) Save(key string, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending[key] = data
	delete(c.gone, key)
	if c.due() {
		c.flush()
	}
}

// Due implements [checkpoint.Store].
func (c *Checkpoint) Due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.due()
}

func (c *Checkpoint) due() bool { return c.err == nil && !time.Now().Before(c.next) }

// Drop implements [checkpoint.Store].
func (c *Checkpoint) Drop(prefix string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.pending {
		if strings.HasPrefix(key, prefix) {
			delete(c.pending, key)
		}
	}
	for key := range c.kept {
		if strings.HasPrefix(key, prefix) {
			c.gone[key] = true
		}
	}
}

// flush writes what is to be written, and then deletes what is no longer needed.
func (c *Checkpoint) flush() {
	begun := time.Now()
	for key, data := range c.pending {
		if err := c.write(key, data); err != nil {
			c.err = err
			return
		}
		c.kept[key] = true
		delete(c.pending, key)
	}
	for key := range c.gone {
		if err := durable.Remove(c.path(pieceName(key))); err != nil {
			c.err = err
			return
		}
		delete(c.kept, key)
		delete(c.gone, key)
	}
	now := time.Now()
	if c.next = now; c.every >= 0 {
		c.next = now.Add(max(c.every, savingShare*now.Sub(begun)))
	}
}

// Err returns what has kept the run from being saved any more, such as a full disk. The
// run itself is not concerned.
func (c *Checkpoint) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Flush writes all that there is to write, whenever that was last done.
func (c *Checkpoint) Flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.flush()
	}
	return c.err
}

// Remove deletes the checkpoint of a run that is over, and its folder if nothing else
// is in it. If that is broken off, what is left is a checkpoint of the same run.
func (c *Checkpoint) Remove() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.kept {
		if err := durable.Remove(c.path(pieceName(key))); err != nil {
			return err
		}
	}
	clear(c.kept)
	if err := durable.Remove(c.path(headFile)); err != nil {
		return err
	}
	c.Close()
	_ = durable.Remove(c.dir) // it may have been there before, or have other files
	return nil
}

// The file of a piece of a [Checkpoint] has the magic, the hash of the run, the length
// of the key, the key, the data, and the hash of all that.

// pieceExtension is that of the files with pieces.
const pieceExtension = ".piece"

var pieceMagic = []byte("nervure piece 1\n")

// pieceName is the file of a key.
func pieceName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16]) + pieceExtension
}

// write writes the file of a piece.
func (c *Checkpoint) write(key string, data []byte) error {
	return durable.WriteFile(c.path(pieceName(key)), func(w io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(w, sum)
		for _, part := range [][]byte{pieceMagic, c.run[:], binary.LittleEndian.AppendUint64(nil, uint64(len(key))), []byte(key), data} {
			if _, err := both.Write(part); err != nil {
				return err
			}
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}

// read reads the file of a piece.
func (c *Checkpoint) read(name string) (key string, data []byte, err error) {
	file, err := os.ReadFile(c.path(name))
	if err != nil {
		return "", nil, c.fault("this checkpoint cannot be read: %s", durable.Reason(err))
	}
	body, sum := file[:max(len(file)-sha256.Size, 0)], file[max(len(file)-sha256.Size, 0):]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return "", nil, c.damaged(name)
	}
	rest, ok := bytes.CutPrefix(body, append(slices.Clone(pieceMagic), c.run[:]...))
	if !ok || len(rest) < 8 {
		return "", nil, c.damaged(name)
	}
	size := binary.LittleEndian.Uint64(rest)
	if rest = rest[8:]; size > uint64(len(rest)) || pieceName(string(rest[:size])) != name {
		return "", nil, c.damaged(name)
	}
	return string(rest[:size]), rest[size:], nil
}
