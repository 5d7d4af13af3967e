package open

import (
	"cmp"
	"errors"
	"fmt"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/chronology"
	"kardia/sources/read/input"
	"kardia/sources/recording"
)

// maxMerged limits the Changes of recordings that are dated together with other files.
const maxMerged = 3_000_000

// errOverlap: recordings cover the same time, and are dated together.
var errOverlap = errors.New("recordings overlap")

// mergeable reports whether recordings, in order of time, overlap and are few enough to be dated together.
func mergeable(files []*recording.File) (overlap bool) {
	total, last := 0, model.FarPast
	for _, r := range files {
		first, end := r.Span()
		total += end - first
		begins, ends := reach(r)
		overlap = overlap || begins < last
		last = max(last, ends)
	}
	return overlap && total <= maxMerged
}

// mergeRecordings adds the contents of recordings, to be dated together with other evidence. Their bounds of when a
// version was written hold, and are narrowed. Data that cannot be merged is left out, with the reason.
func (b *builder) mergeRecordings(files []input.File) error {
	total := 0
	if len(b.merged) == 0 {
		b.merged, _ = b.openAll(files)
	}
	for _, r := range b.merged {
		first, end := r.Span()
		total += end - first
		why := ""
		switch {
		case total > maxMerged:
			why = fmt.Sprintf("it holds %d changes, and at most %d of recordings are merged with other files; cut it to the incident first (kardia cut)", end-first, maxMerged)
		case len(history.Captures(r.Sources())) > 0:
			why = "it was made of captures, and these are not merged from a recording; name what it was made of instead"
		}
		if why != "" {
			b.problem(b.source(r.Name(), "recording"), 0, 0, why)
			continue
		}
		if err := b.merge(r); err != nil {
			return err
		}
		b.joined = append(b.joined, r)
	}
	b.compareFlags(b.joined)
	return nil
}

// merge adds one recording. A whole one shows which objects did not exist any more at its start.
func (b *builder) merge(r *recording.File) error {
	shift := int32(len(b.sources))
	known := b.knownBefore(r)
	b.gapBefore(r, int(shift))
	whole := chronology.Whole{At: r.Coverage().Earliest, Source: shift, What: "what " + r.Name() + " starts with", Keys: map[model.Kind]map[model.Key]bool{}}
	for _, s := range r.Sources() {
		at := b.source(r.Name()+": "+s.Path, s.Format)
		b.sources[at].Server, b.sources[at].Statements, b.sources[at].Spoken = s.Server, s.Statements, s.Spoken
	}
	meta := r.Meta()
	b.version, b.system = cmp.Or(b.version, meta.ServerVersion), cmp.Or(b.system, meta.ClusterUID)
	if meta.ClusterUID != "" {
		for i := shift; int(i) < len(b.sources); i++ {
			b.who.System(i, meta.ClusterUID, 0)
		}
	}
	for _, p := range r.Problems() {
		b.problem(shift, p.Line, p.Offset, p.What)
	}
	page := history.Condensed{Full: true}
	for position, end := r.Span(); position < end; position = page.End {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if err := r.Read(r.PageAt(position), &page); err != nil {
			return err
		}
		for _, ch := range page.Told() {
			if ch.Op == model.OpGap {
				b.gaps = append(b.gaps, history.Gap{Interval: ch.Time, Source: int(ch.Origin.Source + shift), Why: ch.Note})
				continue
			}
			if ch.Op == model.OpBaseline {
				if whole.Keys[ch.Kind] == nil {
					whole.Keys[ch.Kind] = map[model.Key]bool{}
				}
				whole.Keys[ch.Kind][ch.Key] = true
				if ch.Version == 0 && known[ch.Kind] {
					continue
				}
				if ch.Version == 0 && !ch.Arrival.Known() {
					ch.Arrival = ch.At // nothing else shows its place among the others
				}
			}
			ch.At = 0
			shifted(&ch, shift)
			b.sightings = append(b.sightings, chronology.Sighting{Change: ch, Dated: true})
		}
	}
	for i, s := range r.Sources() {
		for _, t := range []model.Instant{s.Coverage.Earliest, s.Coverage.Latest} {
			if s.Changes > 0 && t.Bounded() {
				b.notices = append(b.notices, chronology.Notice{What: chronology.Spoke, Arrival: t, Source: shift + int32(i)})
			}
		}
	}
	for _, g := range r.Gaps() {
		g.Source += int(shift)
		b.gaps = append(b.gaps, g)
	}
	for _, s := range r.Statements() {
		s.Origin.Source += shift
		b.statements = append(b.statements, s)
	}
	b.clocks = append(b.clocks, r.Clocks()...)
	if r.Meta().Whole && len(b.joined) > 0 {
		b.wholes = append(b.wholes, whole)
	}
	return nil
}

// knownBefore are the kinds for which the start of a recording adds nothing, because another one covers that time. A
// part cut from a session starts with the state, which has no versions of pods and Events.
func (b *builder) knownBefore(r *recording.File) map[model.Kind]bool {
	known := map[model.Kind]bool{}
	for _, before := range b.joined {
		for _, s := range before.Sources() {
			for kind, n := range s.Kinds {
				known[kind] = known[kind] || n > 0 && before.Coverage().Contains(r.Coverage().Earliest)
			}
		}
	}
	return known
}

// gapBefore notes the time between a recording and those before it. Its sources are numbered from shift on.
func (b *builder) gapBefore(r *recording.File, shift int) {
	var last *recording.File
	for _, before := range b.joined {
		if last == nil || before.Coverage().Latest > last.Coverage().Latest {
			last = before
		}
	}
	if last == nil {
		return
	}
	for _, g := range gapsBetween(last, r, shift) {
		g.Unlisted = !r.Meta().Whole
		b.gaps = append(b.gaps, g)
	}
}
