package conformance

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Scenario is a script: the objects at the start, and what people, kubelets and accidents do to them.
type Scenario []Command

// Command is one line of a script: "at 103.005 silence n0", or without a time for what holds from the start.
type Command struct {
	// At is the time since the controllers started; negative for the setup.
	At   time.Duration
	Verb string
	// Args are the plain words after the verb, Options the words with a "=".
	Args    []string
	Options []Option
}

// Option is a key=value word.
type Option struct{ Key, Value string }

const setup = time.Duration(-1)

func (c Command) String() string {
	var b strings.Builder
	if c.At != setup {
		fmt.Fprintf(&b, "at %s ", strconv.FormatFloat(c.At.Seconds(), 'f', -1, 64))
	}
	b.WriteString(c.Verb)
	for _, a := range c.Args {
		b.WriteString(" " + a)
	}
	for _, o := range c.Options {
		b.WriteString(" " + o.Key + "=" + o.Value)
	}
	return b.String()
}

func (s Scenario) String() string {
	var b strings.Builder
	for _, c := range s {
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// ParseScenario reads the form that String prints. Empty lines and lines that start with # are skipped.
func ParseScenario(text string) (Scenario, error) {
	var s Scenario
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		c := Command{At: setup}
		if words[0] == "at" {
			if len(words) < 3 {
				return nil, fmt.Errorf("line %d: at TIME VERB", n+1)
			}
			at, err := strconv.ParseFloat(words[1], 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			c.At = time.Duration(at*1e6+0.5) * time.Microsecond
			words = words[2:]
		}
		c.Verb = words[0]
		for _, w := range words[1:] {
			// A taint is "key=value:effect": an argument, not an option.
			if k, v, ok := strings.Cut(w, "="); ok && !strings.Contains(k, "/") {
				c.Options = append(c.Options, Option{k, v})
			} else {
				c.Args = append(c.Args, w)
			}
		}
		s = append(s, c)
	}
	return s, nil
}

func (c Command) arg(i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}

func (c Command) option(key, otherwise string) string {
	for _, o := range c.Options {
		if o.Key == key {
			return o.Value
		}
	}
	return otherwise
}

// duration panics on nonsense: scripts come from the generator or from testdata.
func (c Command) duration(key string, otherwise time.Duration) time.Duration {
	return mustDuration(c.option(key, otherwise.String()))
}

func mustDuration(s string) time.Duration {
	d, err := time.ParseDuration(s)
	if err != nil {
		panic(err)
	}
	return d
}

// find is the first command with this verb, or an empty one.
func (s Scenario) find(verb string) Command {
	for _, c := range s {
		if c.Verb == verb {
			return c
		}
	}
	return Command{}
}

// Flags are the real controllers' flags.
type Flags struct {
	Period, Startup, Grace time.Duration
	Rate, Secondary        float32
	Large                  int32
	Threshold              float32
}

// Flags are the scenario's flags, or else the defaults of v1.36.
func (s Scenario) Flags() Flags {
	c := s.find("flags")
	number := func(key string, otherwise float64) float64 {
		f, err := strconv.ParseFloat(c.option(key, strconv.FormatFloat(otherwise, 'g', -1, 64)), 32)
		if err != nil {
			panic(err)
		}
		return f
	}
	return Flags{
		Period:    c.duration("period", 5*time.Second),
		Startup:   c.duration("startup", time.Minute),
		Grace:     c.duration("grace", 50*time.Second),
		Rate:      float32(number("rate", 0.1)),
		Secondary: float32(number("secondary", 0.01)),
		Large:     int32(number("large", 50)),
		Threshold: float32(number("threshold", 0.55)),
	}
}

// Length is how long the scenario is played.
func (s Scenario) Length() time.Duration { return mustDuration(s.find("length").arg(0)) }

// Lag is how old a node may be that a tick reads from its cache.
func (s Scenario) Lag() time.Duration {
	if c := s.find("lag"); len(c.Args) > 0 {
		return mustDuration(c.arg(0))
	}
	return 0
}

// Drift is how long the n-th pass of a controller is delayed, as by the work of a real pass.
func (s Scenario) Drift(n int) time.Duration {
	args := s.find("drift").Args
	if len(args) == 0 {
		return 0
	}
	return mustDuration(args[n%len(args)])
}
