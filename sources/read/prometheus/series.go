package prometheus

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
)

type sample struct {
	at    model.Instant
	value float64
}

// series is a series' samples in order of time, with the common part of its runs.
type series struct {
	run
	samples []sample
}

// samplesOf reads the samples of a series: "values" of a matrix, "value" of a vector.
func samplesOf(object gjson.Result) (all []sample) {
	add := func(pair gjson.Result) {
		at, text := seconds(pair.Get("0").Float()), pair.Get("1")
		value, err := strconv.ParseFloat(text.String(), 64)
		if err == nil && at.Bounded() && at > 0 && !math.IsNaN(value) {
			all = append(all, sample{at, value})
		}
	}
	if pair := object.Get("value"); pair.IsArray() {
		add(pair)
	}
	object.Get("values").ForEach(func(_, pair gjson.Result) bool {
		add(pair)
		return true
	})
	slices.SortStableFunc(all, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	return all
}

// seconds converts seconds since 1970, to the millisecond; unknown for other values.
func seconds(since float64) model.Instant {
	if !(since > 0) || since > 4e9 {
		return 0
	}
	return model.Instant(math.Round(since*1e3)) * 1e6
}

// irregular reports that the samples are not on the steps of a query: each is a scrape's, at its own time.
func (s *series) irregular() bool {
	if len(s.samples) < 3 {
		return false
	}
	step := int64(0)
	for i := 1; i < len(s.samples); i++ {
		a, b := step, int64(s.samples[i].at-s.samples[i-1].at)/1e6
		for b != 0 {
			a, b = b, a%b
		}
		step = a
	}
	return step < irregular
}

// apart is from how far apart samples are not consecutive: one between is missing.
func (s *series) apart() time.Duration {
	least := time.Duration(math.MaxInt64)
	for i := 1; i < len(s.samples); i++ {
		least = min(least, s.samples[i].at.Sub(s.samples[i-1].at))
	}
	return least + least/2
}

// present divides the samples that are 1 into consecutive ones: a missing sample may have been 0.
func (s *series) present() (all []run) {
	apart := s.apart()
	for i, x := range s.samples {
		switch {
		case x.value != 1:
		case i > 0 && s.samples[i-1].value == 1 && x.at.Sub(s.samples[i-1].at) < apart:
			last := &all[len(all)-1]
			last.last, last.times = x.at, last.times+1
		default:
			is := s.run
			is.first, is.last, is.times = x.at, x.at, 1
			all = append(all, is)
		}
	}
	return all
}

// runs divides the samples into consecutive ones with the same value.
func (s *series) runs() (all []run) {
	for i, x := range s.samples {
		if i > 0 && s.samples[i-1].value == x.value {
			last := &all[len(all)-1]
			last.last, last.times = x.at, last.times+1
			continue
		}
		is := s.run
		is.first, is.last, is.times, is.value = x.at, x.at, 1, x.value
		if i > 0 {
			all[len(all)-1].after = x.value
			is.before, is.previous = s.samples[i-1].value, s.samples[i-1].at
		}
		all = append(all, is)
	}
	return all
}
