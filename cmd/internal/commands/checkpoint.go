package commands

import (
	"context"
	"fmt"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checkpoint/disk"
	"github.com/nervure/nervure/internal/words"
)

// A savedRun is the checkpoint of a run; nil if there is none.
type savedRun struct{ *disk.Checkpoint }

// openCheckpoint opens the checkpoint that was asked for, of a run of an identity.
func (r *learnRun) openCheckpoint(c views.Console, identity func() (checkpoint.Identity, error)) (savedRun, error) {
	if r.Checkpoint.Dir == "" {
		return savedRun{}, nil
	}
	id, err := identity()
	if err != nil {
		return savedRun{}, r.explainFault(err)
	}
	saved, err := disk.Open(r.Checkpoint.Dir, id, r.Checkpoint.Options())
	if err != nil {
		return savedRun{}, err
	}
	if saved.Resumed() && !r.Quiet {
		fmt.Fprintf(c.Err, "going on with the run saved in %s\n", r.Checkpoint.Dir)
	}
	return savedRun{saved}, nil
}

// close lets another run have the checkpoint.
func (s savedRun) close() {
	if s.Checkpoint != nil {
		s.Close()
	}
}

// with returns a context in which the run is saved.
func (s savedRun) with(ctx context.Context) context.Context {
	if s.Checkpoint == nil {
		return ctx
	}
	return checkpoint.With(ctx, s)
}

// warn says if the run could not be saved to its end.
func (s savedRun) warn(c views.Console) {
	if s.Checkpoint != nil && s.Err() != nil {
		fmt.Fprintf(c.Err, "warning: the checkpoint could not be saved: %s\n", words.OneLine(s.Err()))
	}
}

// keep saves all that there is of a run that is not over.
func (s savedRun) keep() error {
	if s.failed() { // which was told
		return nil
	}
	if err := s.Flush(); err != nil {
		return fmt.Errorf("the checkpoint cannot be saved: %w", err)
	}
	return nil
}

// failed reports whether there is no checkpoint, or none that can be saved.
func (s savedRun) failed() bool { return s.Checkpoint == nil || s.Err() != nil }

// hint says how to go on with a run that is not over.
func (s savedRun) hint() string {
	if s.failed() {
		return ""
	}
	return "; to go on, repeat the command with --resume"
}

// remove deletes the checkpoint of a run that is over.
func (s savedRun) remove() error {
	if s.Checkpoint == nil {
		return nil
	}
	if err := s.Remove(); err != nil {
		return fmt.Errorf("the checkpoint cannot be deleted: %w", err)
	}
	return nil
}
