package method

// Status says how a run ended. Not converging is a status, never an error.
type Status string

const (
	// Converged means the method's own optimality or fit test was met.
	Converged Status = "converged"
	// MaxRounds means the allowed number of rounds was used up.
	MaxRounds Status = "max_rounds"
	// Stalled means rounds no longer improved the objective, yet the fit test was not met.
	Stalled Status = "stalled"
	// Interrupted means the context ended; the best answer so far is returned.
	Interrupted Status = "interrupted"
)
