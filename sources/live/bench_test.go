package live

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// A lease and a pod as an API server writes them, with %d for the number of the node and %d for the version.
var watched = map[model.Kind]string{
	model.KindNodeLease: `{"type":"MODIFIED","object":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"node-%04d.eu-central-1.compute.internal","namespace":"kube-node-lease","uid":"7a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f","resourceVersion":"%d","creationTimestamp":"2026-08-14T11:00:00Z",
"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"node-0001.eu-central-1.compute.internal","uid":"6a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f"}],"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2026-08-14T12:00:02Z","fieldsType":"FieldsV1",
"fieldsV1":{"f:metadata":{"f:ownerReferences":{".":{},"k:{\"uid\":\"6a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f\"}":{}}},"f:spec":{"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:renewTime":{}}}}]},
"spec":{"holderIdentity":"node-0001.eu-central-1.compute.internal","leaseDurationSeconds":40,"renewTime":"2026-08-14T12:00:02.123456Z"}}}`,
	model.KindPod: `{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"checkout-7d9f8b6c5-%05d","generateName":"checkout-7d9f8b6c5-","namespace":"default","uid":"8a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f","resourceVersion":"%d","creationTimestamp":"2026-08-14T12:00:00Z","labels":{"app":"checkout","pod-template-hash":"7d9f8b6c5","team":"payments"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"checkout-7d9f8b6c5","uid":"9a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-08-14T12:00:02Z","fieldsType":"FieldsV1","subresource":"status",
"fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:startTime":{}}}}]},
"spec":{"volumes":[{"name":"kube-api-access-x2x4z","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],"defaultMode":420}}],
"containers":[{"name":"app","image":"registry.example.com/payments/checkout:v1.42.0","env":[{"name":"A","value":"b"},{"name":"LOG_LEVEL","value":"info"}],"resources":{"limits":{"memory":"512Mi"},"requests":{"cpu":"250m","memory":"256Mi"}},"volumeMounts":[{"name":"kube-api-access-x2x4z","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]}],
"restartPolicy":"Always","terminationGracePeriodSeconds":30,"nodeName":"node-0001","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0},
"status":{"phase":"Running","conditions":[{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-08-14T12:00:00Z"},{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-08-14T12:00:02Z"}],"hostIP":"10.0.0.1","podIP":"10.1.2.3","startTime":"2026-08-14T12:00:00Z",
"containerStatuses":[{"name":"app","state":{"running":{"startedAt":"2026-08-14T12:00:01Z"}},"ready":true,"restartCount":0,"image":"registry.example.com/payments/checkout:v1.42.0","started":true}]}}}`,
}

// BenchmarkEvent is an event of a watch, from its line to the batch. 5,000 nodes renew 500 times a second.
func BenchmarkEvent(b *testing.B) {
	for kind, text := range watched {
		b.Run(kind.String(), func(b *testing.B) {
			a := newAPI()
			s, err := New(Options{Config: a.config, Kinds: []model.Kind{kind}})
			if err != nil {
				b.Fatal(err)
			}
			w := s.watches[0]
			w.complete = true
			lines := make([][]byte, 5000)
			for i := range lines {
				lines[i] = []byte(strings.ReplaceAll(fmt.Sprintf(text, i%2000, 1000+i), "\n", ""))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				ev := eventOf(lines[i%len(lines)])
				if _, err := w.event(context.Background(), ev, false); err != nil || ev.err != nil {
					b.Fatal(err, ev.err)
				}
				if i%1000 == 0 {
					s.batch.flush(func(stream.Batch) {})
				}
			}
		})
	}
}
