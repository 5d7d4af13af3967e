package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/ui/contract"
)

// Version, Commit and Date are set when a release is linked: .goreleaser.yaml. They are "" otherwise.
var Version, Commit, Date string

// build is what was built, from which source, and with which tools.
type build struct {
	Version  string  `json:"version"`
	Commit   *string `json:"commit"`
	Date     *string `json:"date"`
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

// buildOf reads the notes of the Go tool. The linker's replace them. Without either the version is "devel".
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
	if Commit != "" {
		b.Commit, b.Date = &Commit, &Date
	}
	return b
}

func thisBuild() build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
}

// line is as in "kardia v1.2.3, commit 0123456789ab of 2026-03-01T12:00:00Z (go1.26.0, linux/amd64)".
func (b build) line() string {
	from := ""
	if b.Commit != nil && b.Date != nil {
		from = fmt.Sprintf(", commit %.12s of %s", *b.Commit, *b.Date)
	}
	return fmt.Sprintf("kardia %s%s (%s, %s)", b.Version, from, b.Go, b.Platform)
}

func (r *run) version() *cobra.Command {
	verbose := false
	return r.command(command{
		use:   "version",
		short: "Print the version, its commit and date",
		forms: forms(),
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVarP(&verbose, "verbose", "v", false, "also print where the log of live sessions is")
		},
		run: func(k *call) error {
			b := thisBuild()
			if k.form.value == "json" {
				return contract.WriteJSON(r.Out, b)
			}
			fmt.Fprintln(r.Out, b.line())
			if verbose && r.LogPath != "" {
				fmt.Fprintf(r.Out, "log %s\n", r.LogPath)
			}
			return nil
		},
	})
}
