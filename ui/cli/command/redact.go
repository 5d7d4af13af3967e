package command

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/open"
	"kardia/sources/redact"
)

func (r *run) redact() *cobra.Command {
	keyFile := ""
	level := &word{"share", redact.Levels}
	return r.command(command{
		use:   "redact PATH… -o FILE",
		short: "Copy a recording without confidential data",
		long: `Writes a copy without confidential data, and reads it again to make sure that
'verify' gives the same result for both.

  slim     only the fields that node health depends on: what Kardia records
  share    names, UIDs and third-party words replaced, free text and addresses
           removed; versions of OS image, kernel and container runtime stay
  public   zones and regions replaced too, all times shifted, instance types
           removed, versions cut to a number

A name has the same pseudonym everywhere. Pseudonyms depend on a key: with --key,
recordings of one owner fit together, and the owner can reverse them; without it
the key is thrown away.`,
		example: "  kardia redact incident.mcap -o shared.mcap\n  kardia redact incident.mcap -o public.mcap --level public --key ~/.kardia.key",
		args:    somePaths,
		shares:  newFile,
		flags: func(flags *pflag.FlagSet) {
			flags.VarP(level, "level", "", "how much to remove")
			flags.StringVar(&keyFile, "key", "", "the file with the key; created with a new key if it does not exist")
		},
		write: func(k *call, opened *open.Opened) error {
			l, _ := redact.ParseLevel(level.value)
			key, err := r.redactionKey(keyFile)
			if err != nil {
				return err
			}
			meta, marks := opened.About("kardia " + thisBuild().Version)
			redactor := redact.New(l, key)
			in := redact.Recording{History: opened.History, Meta: meta, Marks: marks}
			if err := redactor.Write(in, k.file); err != nil {
				return r.notRedacted(k.file, err)
			}
			r.say("%s is %v: %s", k.file, l, removedText(redactor.Removed()))
			r.sayKept(redactor)
			return nil
		},
	})
}

// redactionKey is the key in a file, or a new one that is not kept.
func (r *run) redactionKey(path string) (redact.Key, error) {
	if path == "" {
		return redact.NewKey(), nil
	}
	key, made, err := redact.KeyFile(path)
	if err != nil {
		return key, &Fault{Code: Failed, What: "the key cannot be used: " + err.Error(), Err: err}
	}
	if made {
		r.say("a new key is in %s: keep it, and keep it to yourself", path)
	}
	return key, nil
}

func (r *run) notRedacted(path string, err error) error {
	var unclean *redact.ErrUnclean
	if !errors.As(err, &unclean) {
		return cannotWrite(path, err)
	}
	next := "Redact it at the level share."
	if unclean.Level > redact.Slim {
		next = "Cut the part that is needed out of the recording, or report this: it is a fault of Kardia's."
	}
	return &Fault{Code: Failed, What: err.Error(), Err: err,
		Means: "A secret may be in the recording. The copy was removed.", Next: next}
}

// maxKept is how many values of a kind are named.
const maxKept = 3

// sayKept prints the unchanged texts of nodes: an organisation may have built and named its own image.
func (r *run) sayKept(redactor *redact.Redactor) {
	kept := redactor.Kept()
	var parts []string
	for _, is := range [...]struct{ detail, called string }{{model.DetailOSImage, "OS image"}, {model.DetailKernel, "kernel"}, {model.DetailRuntime, "container runtime"}} {
		values := kept[is.detail]
		if len(values) == 0 {
			continue
		}
		part := is.called + " " + strings.Join(values[:min(len(values), maxKept)], ", ")
		if more := len(values) - maxKept; more > 0 {
			part += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		r.say("these versions stay as they are: %s; --level public leaves no more than a number", strings.Join(parts, "; "))
	}
}

func removedText(removed map[string]int) string {
	var parts []string
	for _, rule := range slices.Sorted(maps.Keys(removed)) {
		if n := removed[rule]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, rule))
		}
	}
	if len(parts) == 0 {
		return "nothing had to be taken out"
	}
	return "replaced or taken out " + strings.Join(parts, ", ")
}
