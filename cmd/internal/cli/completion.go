package cli

import (
	"github.com/spf13/cobra"

	"github.com/nervure/nervure/internal/words"
)

func newCompletion(c console) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a shell completion script",
		Long: `Print a completion script for a shell. It completes the commands of nervure,
their flags and flag values. SHELL is bash, zsh, fish or powershell.`,
		Example: `  source <(nervure completion bash)   # add to ~/.bashrc to make it permanent
  nervure completion zsh > "${fpath[1]}/_nervure"
  nervure completion fish | source`,
		ValidArgs: shells,
		Args:      oneArgument("the shell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(c.out, true)
			case "zsh":
				return root.GenZshCompletion(c.out)
			case "fish":
				return root.GenFishCompletion(c.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.out)
			}
			return misuse("%q: want %s", args[0], words.List(shells, "or"))
		},
	}
}
