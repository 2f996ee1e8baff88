package dataio

import (
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checkpoint/disk"
)

// A Checkpoint is a folder that keeps what a run has come to, so that it can go on
// after its process has died:
//
//	id, err := nervure.RunIdentity(signals, options)
//	saved, err := dataio.OpenCheckpoint("run", id, dataio.CheckpointOptions{Resume: true})
//	analysis, err := nervure.Learn(saved.Context(ctx), signals, options)
//	err = saved.Remove()
type Checkpoint = disk.Checkpoint

// CheckpointOptions are how to keep a run.
type CheckpointOptions = disk.Options

// OpenCheckpoint returns the checkpoint in a folder, which is made if it is not there,
// for a run of that identity. A checkpoint of another run, a damaged one, and a folder
// of other files are an *input.Error.
func OpenCheckpoint(dir string, id checkpoint.Identity, o CheckpointOptions) (*Checkpoint, error) {
	return disk.Open(dir, id, o)
}
