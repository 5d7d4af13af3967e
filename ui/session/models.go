package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/explain/impact"
	"kardia/model/explain/outlook"
	"kardia/model/explain/verdict"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/simulate/alternative"
	"kardia/model/simulate/forecast"
)

// judgeTime is how long a single frame waits for the models.
const judgeTime = 30 * time.Second

// runAfter reads the History of a live session in which an earlier run found something overdue. If nothing is any more,
// or a write shows it, the controllers were paused: later writes are read with that.
func runAfter(before infer.Overdue, h history.History, o infer.Options) *models {
	m := driven(h, o)
	found := cmp.Or(m.result, m.missing.Withdrawn()) // flags may seem to be wrong until the standstill is known
	if found == nil || found.Overdue.Known() {
		return m
	}
	var stood standstill
	if before.Known() && givenWrong(m.missing.Withdrawn()) {
		return m
	} else if before.Known() {
		stood = ended(before, o.Standstills, found, m.until)
	} else if v, ok := found.UntoldStandstill(); ok {
		stood = standstill{told: v, held: after(o.Standstills, v), acts: true, unseen: true}
	} else {
		return m
	}
	o.Standstills = append(slices.Clip(o.Standstills), stood.held)
	again := driven(h, o)
	again.stood = &stood
	return again
}

// givenWrong reports that something only seemed overdue: all observations fit the default of a flag given by hand. A
// controller that paused is late by any length.
func givenWrong(r *infer.Result) bool {
	if r == nil {
		return false
	}
	defaults := model.Defaults(r.Params.Version)
	return !slices.ContainsFunc(r.Contradicted, func(c infer.Contradiction) bool {
		return c.Left > 0 || c.Fits != model.FlagNamed(c.Flag).Value(&defaults)
	})
}

func driven(h history.History, o infer.Options) (m *models) {
	m = &models{until: h.Coverage().Latest, leadersUnwatched: o.LeadersUnwatched}
	if o.Mode == infer.Causal && o.Until.Known() {
		m.until = min(m.until, o.Until)
	}
	defer func() {
		if x := recover(); x != nil {
			m = &models{until: m.until, missing: bug(x)}
		}
	}()
	result, err := hypotheses.Run(h, o)
	switch {
	case errors.Is(err, infer.ErrStopped):
		m.missing = outlook.Missing{Reason: outlook.Overlong, Limit: judgeTime}
		return m
	case err != nil:
		m.missing = unreadable(err)
		return m
	case len(result.Contradicted) > 0:
		m.missing = outlook.Missing{Reason: outlook.Contradicted, Result: result}
		return m
	case len(result.Unsupported) > 0:
		m.missing = outlook.Missing{Reason: outlook.Unsupported, Result: result}
		if result = result.OnlyTold(); len(result.Decisions) == 0 {
			return m
		}
	}
	m.result, m.index, m.history, m.memory = result, why.Of(result, h), h, result.Memory()
	return m
}

// at computes the controllers' state at a time, with its decisions and forecast.
func (m *models) at(at model.Instant) (is *modelsAt) {
	none := func(why outlook.Missing) *modelsAt {
		return &modelsAt{at: at, Judgement: outlook.Judgement{Missing: why}}
	}
	defer func() {
		if x := recover(); x != nil {
			is = none(bug(x))
		}
	}()
	if m.missing.Reason != "" {
		return none(m.missing)
	}
	m.asked.Lock()
	defer m.asked.Unlock()
	at = min(at, m.until) // the models have no news beyond it
	if began := m.result.Coverage.Earliest; began.Bounded() && at < began {
		return none(outlook.Missing{Reason: outlook.Unwatched})
	}
	known, err := m.result.Known(at) // without later facts
	if err != nil {
		return none(unreadable(err))
	}
	state := known
	if at < m.until || m.result.Mode != infer.Causal { // later writes show the decisions by then
		if state, err = m.result.At(at + 1); err != nil {
			return none(unreadable(err))
		}
		state.At = at
	} else {
		known = state.Clone() // the view gets the state, the models keep the copy
	}
	is = &modelsAt{at: at, known: known}
	is.State, is.Forecast = state, forecast.Run(known, forecast.Options{})
	by := verdict.View{Overdue: state.Overdue, Watched: m.result.Mode == infer.Causal, LeadersUnwatched: m.leadersUnwatched}
	if !by.Watched {
		by.Unled = model.Some(known.Unled)
	}
	cursor := m.cursor(at)
	if evidence, err := verdict.Look(cursor, at, by); err == nil { // the others report an input that breaks
		is.Verdicts, is.Marked = verdict.Of(evidence), impact.Marked(cursor.State(), m.result.Decisions, at)
	}
	if m.result.Mode != infer.Causal {
		is.Later = forecast.PodsLater(is.Forecast, m.result.Decisions, m.until)
	}
	is.Outlook = outlook.Read(m.says(is), at, false, nil)
	return is
}

// says is the models' result, with that for a time; is may be of the run before, or nil.
func (m *models) says(is *modelsAt) *outlook.Judgement {
	j := outlook.Judgement{Missing: m.missing}
	if is != nil {
		j = is.Judgement
	}
	j.Result, j.Index, j.Until = m.result, m.index, m.until
	return &j
}

func (m *models) cursor(at model.Instant) *history.Cursor {
	if m.past == nil {
		c := history.NewCursor(m.history)
		if at == m.until && m.result.Mode == infer.Causal {
			return c
		}
		m.past = c
	}
	return m.past
}

// try runs the forecast again for each option of a node; nil if that fails.
func (s *modelsAt) try(node string) (t *alternative.Tried) {
	defer func() {
		if x := recover(); x != nil {
			t = &alternative.Tried{Node: node, At: s.at}
		}
	}()
	if s.known == nil || s.Forecast == nil {
		return &alternative.Tried{Node: node, At: s.at}
	}
	return alternative.Of(s.known, s.Forecast, node)
}

// bug is for a panic of the models: the observations are shown all the same.
func bug(x any) outlook.Missing { return outlook.Missing{Reason: outlook.Failed, Cause: fmt.Sprint(x)} }

func unreadable(err error) outlook.Missing {
	return outlook.Missing{Reason: outlook.Unreadable, Cause: err.Error()}
}
