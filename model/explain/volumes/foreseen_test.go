package volumes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Volumes of pods that are foreseen to be deleted from a silent node may be detached six minutes after that: where all pods
// that hold one go, by the last of them; never at a time that is known, for the pods stay.
func TestForesee(t *testing.T) {
	c := model.NewCluster()
	for _, claim := range []string{"a", "b", "c", "d"} {
		for _, line := range []string{"0s volume pv-" + claim + " claim=" + claim, "0s attachment csi-" + claim + " of=pv-" + claim + " attached=true"} {
			fold(t, c, strings.Fields(line))
		}
	}
	for _, line := range []string{"0s node Unknown", "0s pod one claim=a running=true", "0s pod two claim=b running=true", "0s pod more claim=b running=true",
		"0s pod stays claim=c running=true", "0s pod going claim=c running=true", "0s pod gone claim=d running=true deleted=10s"} {
		fold(t, c, strings.Fields(line))
	}
	at := func(text string) model.Interval {
		return model.Interval{Earliest: instant(t, text), Latest: instant(t, text).Add(time.Second)}
	}
	pod := func(name string, state forecast.State, w model.Interval) forecast.Eviction {
		return forecast.Eviction{Pod: model.Key{Namespace: "db", Name: name}, Node: "n", State: state, Window: w}
	}
	f := &forecast.Forecast{At: start.Add(time.Minute), Evictions: []forecast.Eviction{
		pod("one", forecast.Due, at("2m")), pod("two", forecast.Due, at("2m")), pod("more", forecast.WaitingForTaint, at("3m")),
		pod("going", forecast.Due, at("2m")), pod("stays", forecast.Forever, model.Interval{Earliest: model.FarFuture, Latest: model.FarFuture}), pod("gone", forecast.Terminating, model.Interval{})}}
	silent := func(string) bool { return true }
	said := func(until string, silent func(string) bool) (text string) {
		for _, x := range Foresee(c, f, silent, instant(t, until)) {
			for _, v := range x.Volumes {
				text += fmt.Sprintf("%s of %s from %s; ", v.Name, x.Node, since(x.Detached.Earliest))
			}
			if x.Detached.Latest != model.FarFuture {
				t.Errorf("%s has an end: %s", x.Node, since(x.Detached.Latest))
			}
		}
		return text
	}
	if got, want := said("16m", silent), "pv-a of n from 8m0s; pv-b of n from 9m0s; "; got != want {
		t.Errorf("foreseen: %q, want %q", got, want)
	}
	if got, want := said("8m30s", silent), "pv-a of n from 8m0s; "; got != want {
		t.Errorf("foreseen until then: %q, want %q", got, want)
	}
	if got := said("16m", func(string) bool { return false }); got != "" {
		t.Errorf("of a node whose kubelet is heard: %q", got)
	}
}
