package audit

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/read/object"
)

// analyticsID is the column of the auditID in AKSAudit and AKSAuditAdmin, tables of Azure's Log Analytics.
const analyticsID = "AuditId"

// analyticsColumns are the members of an event, and their columns in those tables; columns of events only come first.
// Source: Azure Monitor: reference, tables, AKSAudit.
var analyticsColumns = [...]struct{ member, column string }{
	{"auditID", analyticsID}, {"stage", "Stage"}, {"verb", "Verb"}, {"objectRef", "ObjectRef"}, {"requestURI", "RequestUri"}, {"user", "User"},
	{"userAgent", "UserAgent"}, {"sourceIPs", "SourceIps"}, {"responseStatus", "ResponseStatus"}, {"requestObject", "RequestObject"},
	{"responseObject", "ResponseObject"}, {"annotations", "Annotations"},
}

// shownTime is the portal's form of times in CSV, cut behind the millisecond. The zone is in the column's name.
const shownTime = "1/2/2006, 3:04:05.000 PM"

var errAnalytics = errors.New("expected RequestReceivedTime and StageReceivedTime in UTC in the row of AKSAudit, found others or none; export with both, and with times shown in UTC; the row is not used")

func fromAnalytics(row gjson.Result) (*event, error) {
	received, _, okReceived := analyticsTime(row, "RequestReceivedTime")
	_, finished, okFinished := analyticsTime(row, "StageReceivedTime")
	if !okReceived || !okFinished {
		return nil, errAnalytics
	}
	e := &event{apiVersion: `"audit.k8s.io/v1"`}
	for _, c := range analyticsColumns {
		value := row.Get(c.column)
		raw := value.Raw
		if strings.HasPrefix(value.Str, "{") || strings.HasPrefix(value.Str, "[") {
			if !jsonscan.Valid([]byte(value.Str)) {
				return nil, fmt.Errorf("expected JSON in the column %s, found %s; the row is not used", c.column, excerpt([]byte(value.Str)))
			}
			raw = value.Str // az writes values of type dynamic as texts
		}
		if raw != `""` && raw != "null" {
			e.set(c.member, raw)
		}
	}
	e.setTimes(received, finished)
	return e, nil
}

// analyticsTime is the time in a column: exact, or within the shown millisecond.
func analyticsTime(row gjson.Result, column string) (from, to model.Instant, ok bool) {
	if at := object.Time(row.Get(column)); plausible(at) {
		return at, at, true
	}
	shown, err := time.Parse(shownTime, row.Get(column+" [UTC]").Str)
	at := model.At(shown)
	return at, at.Add(time.Millisecond - time.Nanosecond), err == nil && plausible(at)
}
