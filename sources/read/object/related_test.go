package object

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"kardia/model"
)

func TestAVolumeAttachmentAndItsVolume(t *testing.T) {
	o := (&Decoder{}).Decode(gjson.Parse(`{"kind":"VolumeAttachment","apiVersion":"storage.k8s.io/v1","metadata":{"name":"csi-1","uid":"u","resourceVersion":"7",
 "creationTimestamp":"2026-11-20T23:51:40Z","deletionTimestamp":"2026-11-20T23:59:40Z"},
 "spec":{"attacher":"ebs.csi.aws.com","nodeName":"a","source":{"persistentVolumeName":"pvc-1"}},"status":{"attached":true,"detachError":{"message":"time\nout"}}}`))
	if o.Kind != model.KindVolumeAttachment || o.Version != 7 || o.Related.Deleted.String() != "2026-11-20T23:59:40Z" ||
		o.Related.Details != "attached=true\ndriver=ebs.csi.aws.com\nerror=time out\nnode=a\nvolume=pvc-1" {
		t.Errorf("%+v %+v", o, o.Related)
	}
	o = (&Decoder{}).Decode(gjson.Parse(`{"kind":"PersistentVolume","metadata":{"name":"pvc-1"},"spec":{"csi":{"driver":"ebs.csi.aws.com"},"claimRef":{"namespace":"db","name":"data-db-0"}}}`))
	if o.Kind != model.KindPersistentVolume || o.Related.Details != "claimRef=db/data-db-0\ndriver=ebs.csi.aws.com" {
		t.Errorf("%+v %+v", o, o.Related)
	}
}

// A pod shows which claims it uses, and whether a container of it runs; one without claims shows neither. Its labels
// are kept in any case.
func TestThePodsClaims(t *testing.T) {
	const spec = `"volumes":[{"name":"config","configMap":{"name":"c"}},{"name":"data","persistentVolumeClaim":{"claimName":"data-db-0"}},{"name":"scratch","ephemeral":{"volumeClaimTemplate":{}}}]`
	for _, c := range []struct{ spec, status, want string }{
		{spec, `{"containerStatuses":[{"state":{"terminated":{}}},{"state":{"running":{}}}]}`, "claim data-db-0=data\nclaim db-0-scratch=scratch\nlabel app=db\nrunning=true"},
		{spec, `{"containerStatuses":[{"state":{"terminated":{}}},{"state":{"waiting":{}}}]}`, "claim data-db-0=data\nclaim db-0-scratch=scratch\nlabel app=db\nrunning=false"},
		{spec, `{"phase":"Pending"}`, "claim data-db-0=data\nclaim db-0-scratch=scratch\nlabel app=db\nrunning=false"},
		{spec, `null`, "claim data-db-0=data\nclaim db-0-scratch=scratch\nlabel app=db"},
		{`"volumes":[{"name":"config","configMap":{"name":"c"}}]`, `{"containerStatuses":[{"state":{"running":{}}}]}`, "label app=db"},
		{`"volumes":"none"`, `{}`, "label app=db"},
	} {
		o := (&Decoder{}).Decode(gjson.Parse(`{"kind":"Pod","metadata":{"name":"db-0","namespace":"db","labels":{"app":"db","statefulset.kubernetes.io/pod-name":"db-0"}},"spec":{` + c.spec + `},"status":` + c.status + `}`))
		if string(o.Pod.Details) != c.want {
			t.Errorf("%s: %q, want %q", c.status, o.Pod.Details, c.want)
		}
		if o.Pod.Wants() != true {
			t.Error("nobody has deleted it")
		}
		o.Pod.Deletion = 1
		if want := !strings.Contains(c.want, "running=false"); o.Pod.Wants() != want {
			t.Errorf("%s: deleted, it wants its volumes: %v", c.status, o.Pod.Wants())
		}
	}
}

// A pod shows its requests as the scheduler counts them, if its containers are shown and their requests are quantities.
func TestThePodsRequests(t *testing.T) {
	for _, c := range []struct{ name, spec, want string }{
		{"nothing is asked for", `"containers":[{"name":"a","resources":{}}]`, "0m 0"},
		{"a sum", `"containers":[{"resources":{"requests":{"cpu":"250m","memory":"64Mi"}}},{"resources":{"requests":{"cpu":1}}}]`, "1250m 67108864"},
		{"a sidecar, and an init container after it", `"containers":[{"resources":{"requests":{"cpu":"1"}}}],"initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"500m"}}},{"resources":{"requests":{"cpu":"2"}}}]`, "2500m 0"},
		{"the pod's own", `"containers":[{"resources":{"requests":{"cpu":"1","memory":"1Ki"}}}],"resources":{"requests":{"cpu":"2"}},"overhead":{"cpu":"100m"}`, "2100m 1024"},
		{"containers are not shown", `"nodeName":"a"`, ""},
		{"no containers", `"containers":[]`, ""},
		{"no list", `"containers":"x"`, ""},
		{"no quantity", `"containers":[{"resources":{"requests":{"cpu":"lots"}}}]`, ""},
	} {
		o := (&Decoder{}).Decode(gjson.Parse(`{"kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{` + c.spec + `}}`))
		if got, _ := o.Pod.Details.Get(model.DetailRequests); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Why its kubelet ended a pod is in its status, once it has ended; its priority is kept where it is shown, 0 too.
func TestWhyAPodEnded(t *testing.T) {
	for _, c := range []struct{ rest, ended, priority string }{
		{`"spec":{"priority":2000001000},"status":{"phase":"Failed","reason":"Terminated","message":"Pod was terminated in response to imminent node shutdown."}`, "Terminated", "2000001000"},
		{`"spec":{"priority":0},"status":{"phase":"Succeeded","reason":"Terminated","message":"x"}`, "Terminated", "0"},
		{`"spec":{},"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory. "}`, "Evicted resource memory", ""},
		{`"spec":{"priority":"high"},"status":{"phase":"Running","reason":"Evicted"}`, "", ""},
	} {
		p := (&Decoder{}).Decode(gjson.Parse(`{"kind":"Pod","metadata":{"name":"web","namespace":"shop"},` + c.rest + `}`)).Pod
		ended, _ := p.Details.Get(model.DetailEnded)
		priority, _ := p.Details.Get(model.DetailPriority)
		if ended != c.ended || priority != c.priority {
			t.Errorf("%s: %q, %q", c.rest, ended, priority)
		}
	}
}
