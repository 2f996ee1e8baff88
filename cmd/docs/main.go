// Command docs is the program behind the manual: it writes what the README and
// docs show of committed results, runs their code blocks, measures results again and
// builds the static site. It runs in the root directory of the repository.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(".", os.Stdout).ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}
