package command

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/read/prometheus"
	"kardia/ui/timeinput"
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

// value is a flag whose text a function reads. shown is the text, or that of the default.
type value[T any] struct {
	is          *T
	kind, shown string
	read        func(text string) (T, error)
}

func (v *value[T]) String() string { return v.shown }
func (v *value[T]) Type() string   { return v.kind }

func (v *value[T]) Set(text string) error {
	is, err := v.read(text)
	if err == nil {
		*v.is, v.shown = is, text
	}
	return err
}

// readDate reads a time in RFC 3339.
func readDate(text string) (model.Instant, error) {
	at, ok, err := timeinput.Date(text, time.UTC)
	if !ok {
		err = errors.New("must be a time in RFC 3339, as in 2026-11-20T23:55:00Z")
	}
	return at, err
}

// takesCaptures adds the flags that date inputs: capture time, year and time zone of logs, look-back of a Prometheus.
func (r *run) takesCaptures(flags *pflag.FlagSet) {
	flags.Var(&value[model.Instant]{is: &r.capturedAt, kind: "time", read: readDate}, "captured-at", "capture time of lists and dumps; with several captures, use PATH@TIME")
	flags.IntVar(&r.year, "year", 0, "year for klog logs (which have none), if no other input shows it")
	flags.Var(&value[*time.Location]{is: &r.logZone, kind: "zone", read: readZone}, "log-time-zone", "time zone of klog logs, if no log shows it: +09:00, Asia/Seoul")
	flags.Var(&value[time.Duration]{is: &r.lookBack, kind: "duration", shown: prometheus.LookBack.String(), read: readLookBack},
		"prometheus-lookback", "query.lookback-delta of the Prometheus that answered a range query")
}

// readZone reads a time zone: an offset, or a name.
func readZone(text string) (*time.Location, error) {
	for _, layout := range [...]string{"-07:00", "-0700", "Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			_, ahead := t.Zone()
			if ahead < -12*3600 || ahead > 14*3600 {
				return nil, errors.New("must be an offset from -12:00 to +14:00")
			}
			return time.FixedZone(text, ahead), nil
		}
	}
	named, err := time.LoadLocation(text)
	if err != nil || text == "" || text == "Local" {
		return nil, errors.New("must be an offset, as +09:00, or a name, as Asia/Seoul")
	}
	return named, nil
}

// readLookBack reads how far a Prometheus looks back.
func readLookBack(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("must be a duration, as in 15m")
	}
	return d, nil
}

// size is the size of a frame, as in 120x36.
type size struct{ w, h int }

// maxSide bounds a frame's memory.
const maxSide = 1000

func readSize(text string) (size, error) {
	ws, hs, _ := strings.Cut(text, "x")
	w, err1 := strconv.Atoi(ws)
	h, err2 := strconv.Atoi(hs)
	if err1 != nil || err2 != nil || w < 1 || h < 1 || w > maxSide || h > maxSide {
		return size{}, fmt.Errorf("must be columns x lines, as in 120x36, each from 1 to %d", maxSide)
	}
	return size{w, h}, nil
}

var byteUnits = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"B", 1}, {"", 1},
}

// readBytes reads a number of bytes, as in 500M or 2GiB.
func readBytes(text string) (int64, error) {
	for _, u := range byteUnits {
		number, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if err != nil || !(n > 0) || n*u.bytes >= math.MaxInt64 || n*u.bytes < 1 {
			break
		}
		return int64(n * u.bytes), nil
	}
	return 0, fmt.Errorf("must be a number of bytes, as in 500M or 2GiB")
}
