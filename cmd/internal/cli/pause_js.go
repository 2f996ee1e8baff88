package cli

import "time"

// letOthersIn lets a browser, which has one thread for all, hear of a stop. Only a
// sleep gives it the word.
func letOthersIn() { time.Sleep(time.Millisecond) }
