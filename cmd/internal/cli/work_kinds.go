package cli

import (
	"github.com/nervure/nervure/batch"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/task"
)

// workKinds are all kinds of work that workers do, with the same bytes as this process.
func workKinds() task.Kinds {
	return task.Kinds{
		batch.LearnKind:        batch.LearnTask,
		experiment.MeasureKind: experiment.Measure,
		partKind:               doPart,
	}
}
