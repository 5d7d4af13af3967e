package model_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
)

func TestInstantsAtTheEdgesOfTime(t *testing.T) {
	for _, c := range []struct {
		in   time.Time
		want model.Instant
	}{
		{time.Time{}, 0},
		{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), 0},
		{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), model.FarFuture},
		{time.Date(1066, 10, 14, 9, 0, 0, 0, time.UTC), model.FarPast},
	} {
		if got := model.At(c.in); got != c.want {
			t.Errorf("At(%s) = %d, want %d", c.in, got, c.want)
		}
	}
	if got := model.FarFuture.Add(-time.Hour); got != model.FarFuture {
		t.Errorf("an unbounded end moved to %s", got)
	}
	if got := model.Instant(0).Add(time.Hour); got.Known() {
		t.Errorf("the unknown instant became %s by adding an hour", got)
	}
	if got := model.FarFuture.Sub(model.FarPast); got != math.MaxInt64 {
		t.Errorf("the longest distance wraps to %d", got)
	}
}

func TestInstantArithmeticNeverWraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := model.Instant(rapid.Int64().Draw(t, "instant"))
		d := time.Duration(rapid.Int64().Draw(t, "duration"))
		sum := i.Add(d)
		if d >= 0 && sum < i || d <= 0 && sum > i {
			t.Fatalf("%d + %d = %d", i, d, sum)
		}
		j := model.Instant(rapid.Int64().Draw(t, "other"))
		if diff := i.Sub(j); (i >= j) != (diff >= 0) {
			t.Fatalf("%d - %d = %d", i, j, diff)
		}
	})
}

func TestTruncateAgreesWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := model.Instant(rapid.Int64Range(2e9, math.MaxInt64-1).Draw(t, "instant"))
		if got, want := i.Truncate(time.Second).Time(), i.Time().Truncate(time.Second); !got.Equal(want) {
			t.Fatalf("%s truncated to %s, want %s", i, got, want)
		}
	})
}

func TestIntersectionOfIntervals(t *testing.T) {
	a := model.Interval{Earliest: 10, Latest: 20}
	if both, ok := a.Intersect(model.Interval{Earliest: 15, Latest: model.FarFuture}); !ok || both != (model.Interval{Earliest: 15, Latest: 20}) {
		t.Errorf("got %v %v", both, ok)
	}
	if both, ok := a.Intersect(model.Interval{Earliest: 21, Latest: 30}); ok || both != a {
		t.Errorf("intervals that exclude each other gave %v %v", both, ok)
	}
}

func TestUIDsComeBackAsTheyWere(t *testing.T) {
	var in model.Interner
	for _, s := range []string{"", "2adbc6ea-7867-4f13-bccc-3131af75d413", "2ADBC6EA-7867-4F13-BCCC-3131AF75D413", "node-1", "00000000-0000-0000-0000-000000000000"} {
		u := in.UID(s)
		if u.String() != s || u.Known() != (s != "") {
			t.Errorf("%q became %q (known %v)", s, u, u.Known())
		}
		if u != in.UID(s) {
			t.Errorf("%q does not equal itself", s)
		}
	}
}

func TestDefaultsFollowTheVersion(t *testing.T) {
	for text, want := range map[string]time.Duration{"v1.31.4": 40 * time.Second, "1.32": 50 * time.Second, "v1.36.3": 50 * time.Second, "v1.18.20-eks-1": 40 * time.Second} {
		v, ok := model.ParseVersion(text)
		if !ok {
			t.Fatalf("%q is not understood", text)
		}
		if got := model.Defaults(v).NodeMonitorGracePeriod; got.Value != want || got.From != model.FromDefault {
			t.Errorf("%s: grace %v, want %v", text, got, want)
		}
	}
	if got := model.Defaults(model.Version{}).NodeMonitorGracePeriod.Value; got != 50*time.Second {
		t.Errorf("an unknown version counts as the newest, got grace %v", got)
	}
	if _, ok := model.ParseVersion("latest"); ok {
		t.Error("\"latest\" is no version")
	}
}

func TestPlacesAsThePersonTypesThem(t *testing.T) {
	east := model.ZoneKey{Region: "us-east-1", Zone: "us-east-1b"}
	for text, want := range map[string]bool{"us-east-1/us-east-1b": true, "us-east-1b": true, "none": false, "": false, "us-east-1": false} {
		if east.Matches(text) != want {
			t.Errorf("%q matches %s: %v", text, east, !want)
		}
	}
	if !(model.ZoneKey{}).Matches("none") || (model.ZoneKey{}).Matches("") {
		t.Error("nodes without labels are the zone \"none\"")
	}
}
