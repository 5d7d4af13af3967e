package scenario

import (
	"context"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
)

// flushEvery is how much of a scenario is recorded between two flushes.
const flushEvery = 4 * time.Second

// Meta is the description of a scenario's recording, with its flags. tool writes it, name is the scenario's.
func (s *Scenario) Meta(tool, name string) recording.Meta {
	params := s.Params
	for _, from := range []*model.Provenance{&params.NodeMonitorPeriod.From, &params.NodeMonitorGracePeriod.From, &params.NodeStartupGracePeriod.From, &params.NodeEvictionRate.From,
		&params.SecondaryNodeEvictionRate.From, &params.LargeClusterSizeThreshold.From, &params.UnhealthyZoneThreshold.From} {
		*from = model.FromFile
	}
	return recording.Meta{Tool: tool, Name: name, ServerVersion: params.Version.String() + ".0", Params: &params, Clock: "recorder", Redaction: "slim", Whole: true,
		Sources: []history.Source{{Path: name, Format: Mark}}}
}

// Record plays a scenario into a recording, which the caller closes. The last argument, if set, gets the progress.
func (s *Scenario) Record(ctx context.Context, w *recording.Writer, told func(done time.Duration)) error {
	w.Cover(s.Start)
	var flushed model.Instant
	for ch := range s.Changes() {
		if ch.Arrival.Sub(flushed) >= flushEvery {
			if err := w.Flush(); err != nil {
				return err
			}
			flushed = ch.Arrival
			if told != nil {
				told(ch.Arrival.Sub(s.Start))
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := w.Add(ch); err != nil {
			return err
		}
	}
	w.Cover(s.End())
	return nil
}
