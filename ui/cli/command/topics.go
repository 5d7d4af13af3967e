package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// topicGroup is the group of the help topics, below those of the commands.
const topicGroup = "Help topics"

// topics are help pages about more than one command: commands without a Run. docs/cli.md has their texts too.
func (r *run) topics() []*cobra.Command {
	return []*cobra.Command{
		topic("cluster", "The live cluster, and the flags of its controllers", clusterTopic),
		topic("environment", "Files and environment variables", fmt.Sprintf(environmentTopic,
			r.configPlace(), filepath.Dir(r.configPlace()), cmp.Or(r.StateDir, "$XDG_STATE_HOME/kardia"))),
		topic("exit-codes", "What the exit codes mean", exitTopic),
		topic("inputs", "PATHs, and input without dates", inputTopic),
		topic("times", "Times, as --at and other flags take them", timeTopic),
	}
}

func topic(name, short, text string) *cobra.Command {
	t := &cobra.Command{Use: name, Short: short, Long: strings.TrimSpace(text)}
	t.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), cmd.Long) })
	return t
}

const clusterTopic = `
Without a PATH, commands such as get, why and check ask the live cluster. It is
found as kubectl finds it: by KUBECONFIG or ~/.kube/config, or in a pod by its
service account. kubectl's flags work: --context, --kubeconfig, --namespace,
--server, --as and others. Kardia only reads. 'kardia rbac' prints the least role
that it needs.

The models need the flags of kube-controller-manager. For each flag, the first of
these sources counts:

  1. the command line: --node-monitor-grace-period and others, by their own names
  2. the configuration, for the current context
  3. a recording, a controller's log, or the Pod of kube-controller-manager
  4. what the observed writes allow
  5. the default of the cluster's version

'kardia replay --help' lists these flags. docs/whatif.md shows how to try others.`

const environmentTopic = `
Kardia keeps these files, and works without them:

  settings; 'kardia config init' writes them   %s
  your own themes                              %s/themes/
  messages of live sessions                    %s/kardia.log
  progress in lessons                          %[3]s/lessons.json
  bookmarks of a recording                     NAME.marks.jsonl beside it

These environment variables have an effect:

  KUBECONFIG                the kubeconfig files
  HTTPS_PROXY, NO_PROXY     the way to the API server
  NO_COLOR                  no colours, if not empty
  LC_ALL, LC_CTYPE, LANG    glyphs are Unicode if the locale is UTF-8, else ASCII
  TERM                      dumb: print one frame, draw no screen
  XDG_CONFIG_HOME           directory of kardia/config.yaml
  XDG_STATE_HOME            directory of kardia/kardia.log
  GOMEMLIMIT, GOGC          replace Kardia's own limit of memory`

const exitTopic = `
Each command ends with one of these exit codes:

    0  done, and nothing found
    1  failed: it could not be done
    2  the command line makes no sense
    3  findings: a check, a verification or a comparison found something
    4  partial or not known: part of what was asked for is missing
    5  unreadable: nothing of the input could be read
  130  interrupted by ctrl+c

If several hold, the first of 130, 2, 5, 1, 4, 3 is returned.`

const inputTopic = `
A PATH is a file, a directory, - for stdin, demo:NAME or scenario:NAME. Several
are one timeline. File types are detected by content, also in gzip, zstd, tar and
zip. 'kardia info PATH' prints what was read. docs/inputs.md lists the formats.

Some input does not date itself. Each command that reads a PATH has these flags:

  --captured-at           when lists and dumps were captured. Several captures
                          are dated one by one, as PATH@TIME
  --year                  year of klog logs, if no other input shows it
  --log-time-zone         time zone of klog logs, if no log shows it
  --prometheus-lookback   query.lookback-delta of the Prometheus that answered a
                          range query, if it is not five minutes`

const timeTopic = `
The flags --at, --from and --to take a time in one of these forms. The screens
take them too, after t.

  +90s, +1h2m, +22:10     after the start of the input
  -30s                    before its end
  14:05, 14:05:30         time of day in UTC, on the day nearest to the end
  2026-03-01T14:05:00Z    RFC 3339, also with another zone: +09:00

Most commands refuse a time outside the input. docs/time.md describes when the
input starts, and how each write is dated.`
