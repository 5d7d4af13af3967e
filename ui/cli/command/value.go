package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/read/prometheus"
)

// word is a flag that takes one of a few words.
type word struct {
	value   string
	allowed []string
}

func (w *word) String() string { return w.value }

// Type is the words themselves if they fit into a help text.
func (w *word) Type() string {
	if words := strings.Join(w.allowed, "|"); len(words) < 30 {
		return words
	}
	return "name"
}

func (w *word) Set(s string) error {
	if !slices.Contains(w.allowed, s) {
		return fmt.Errorf("must be one of %s", strings.Join(w.allowed, ", "))
	}
	w.value = s
	return nil
}

// completeWords lets shells complete the words of a command's word flags.
func completeWords(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if w, ok := f.Value.(*word); ok {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(w.allowed, cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// instantFlag is a flag that takes a time in RFC 3339.
type instantFlag struct{ model.Instant }

// String implements pflag.Value.
func (i *instantFlag) String() string {
	if !i.Known() {
		return ""
	}
	return i.Instant.String()
}

// Type implements pflag.Value.
func (i *instantFlag) Type() string { return "time" }

// Set implements pflag.Value.
func (i *instantFlag) Set(text string) error {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return fmt.Errorf("must be a time in RFC 3339, as in 2026-11-20T23:55:00Z")
	}
	if i.Instant = model.At(t); !i.Bounded() {
		return fmt.Errorf("must be a time of the years 1970 to 2261")
	}
	return nil
}

// takesCaptures adds the flags that date inputs: capture time, year and time zone of logs, look-back of a Prometheus.
func (r *run) takesCaptures(flags *pflag.FlagSet) {
	flags.Var(&r.capturedAt, "captured-at", "capture time of lists and dumps; with several captures, use PATH@TIME")
	flags.IntVar(&r.year, "year", 0, "year for klog logs (which have none), if no other input shows it")
	flags.Var(&r.logZone, "log-time-zone", "time zone of klog logs, if no log shows it: +09:00, Asia/Seoul")
	flags.Var((*lookBack)(&r.lookBack), "prometheus-lookback", "query.lookback-delta of the Prometheus that answered a range query")
}

// zone is a flag for a time zone: an offset, or a name; nil if not given.
type zone struct{ *time.Location }

func (z *zone) String() string {
	if z.Location == nil {
		return ""
	}
	return z.Location.String()
}
func (z *zone) Type() string { return "zone" }

func (z *zone) Set(text string) error {
	for _, layout := range [...]string{"-07:00", "-0700", "Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			_, ahead := t.Zone()
			if z.Location = time.FixedZone(text, ahead); ahead < -12*3600 || ahead > 14*3600 {
				return errors.New("must be an offset from -12:00 to +14:00")
			}
			return nil
		}
	}
	named, err := time.LoadLocation(text)
	if err != nil || text == "" || text == "Local" {
		return errors.New("must be an offset, as +09:00, or a name, as Asia/Seoul")
	}
	z.Location = named
	return nil
}

// lookBack is a flag for how far a Prometheus looks back; 0 if not given.
type lookBack time.Duration

func (l *lookBack) String() string { return cmp.Or(time.Duration(*l), prometheus.LookBack).String() }
func (l *lookBack) Type() string   { return "duration" }

func (l *lookBack) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("must be a duration, as in 15m")
	}
	*l = lookBack(d)
	return nil
}

// size is a flag for the size of a frame, as in 120x36.
type size struct{ w, h int }

// maxSide bounds a frame's memory.
const maxSide = 1000

func (s *size) String() string {
	if *s == (size{}) {
		return ""
	}
	return fmt.Sprintf("%dx%d", s.w, s.h)
}
func (s *size) Type() string { return "WxH" }

func (s *size) Set(text string) error {
	ws, hs, _ := strings.Cut(text, "x")
	w, err1 := strconv.Atoi(ws)
	h, err2 := strconv.Atoi(hs)
	if err1 != nil || err2 != nil || w < 1 || h < 1 || w > maxSide || h > maxSide {
		return fmt.Errorf("must be columns x lines, as in 120x36, each from 1 to %d", maxSide)
	}
	*s = size{w, h}
	return nil
}
