package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/ui/contract"
)

// Version is set when a release is linked: -ldflags "-X kardia/ui/cli/command.Version=v1.2.3".
var Version string

// build is what was built, from which source, and with which tools.
type build struct {
	Version  string  `json:"version"`
	Commit   *string `json:"commit"`
	Date     *string `json:"date"`
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

// buildOf reads the notes of the linker and the Go tool. Without either the version is "devel".
func buildOf(info *debug.BuildInfo) build {
	b := build{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info != nil {
		if v := info.Main.Version; b.Version == "" && v != "(devel)" {
			b.Version = v
		}
		for i := range info.Settings {
			switch s := &info.Settings[i]; s.Key {
			case "vcs.revision":
				b.Commit = &s.Value
			case "vcs.time":
				b.Date = &s.Value
			}
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

func thisBuild() build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
}

func (b build) line() string { return fmt.Sprintf("kardia %s (%s, %s)", b.Version, b.Go, b.Platform) }

func (r *run) version() *cobra.Command {
	verbose := false
	return r.command(command{
		use:   "version",
		short: "Print the version",
		forms: forms(),
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVarP(&verbose, "verbose", "v", false, "also print the commit, and where the log of live sessions is")
		},
		run: func(k *call) error {
			b := thisBuild()
			if k.form.value == "json" {
				return contract.WriteJSON(r.Out, b)
			}
			fmt.Fprintln(r.Out, b.line())
			if !verbose {
				return nil
			}
			if b.Commit != nil {
				fmt.Fprintf(r.Out, "commit %s\n", *b.Commit)
			}
			if r.LogPath != "" {
				fmt.Fprintf(r.Out, "log    %s\n", r.LogPath)
			}
			return nil
		},
	})
}
