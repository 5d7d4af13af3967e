package object

import (
	"strconv"

	"github.com/tidwall/gjson"

	"kardia/model"
)

var relatedKinds = map[string]model.Kind{
	"VolumeAttachment": model.KindVolumeAttachment,
	"PersistentVolume": model.KindPersistentVolume,

	"PodDisruptionBudget": model.KindPodDisruptionBudget,
	"EndpointSlice":       model.KindEndpointSlice,
	"NodeClaim":           model.KindNodeClaim,
	"NodeHealthCheck":     model.KindNodeHealthCheck,
}

// autoscalerStatus is the ConfigMap with the cluster autoscaler's state.
const autoscalerStatus = "cluster-autoscaler-status"

// related reads a related object: its kind decides which parts are kept.
func (d *Decoder) related(kind model.Kind, meta metadata, p *Parts) *model.Related {
	list := d.list[:0]
	add := func(name string, value gjson.Result) {
		list = append(list, model.Detail{Name: name, Value: value.String()})
	}
	switch kind {
	case model.KindPodDisruptionBudget:
		if p.Whole.Get("apiVersion").String() != "policy/v1beta1" || len(p.Spec.Get("selector").Map()) > 0 { // there an empty one selects none
			list = append(list, model.Detail{Name: model.DetailSelector, Value: selector(p.Spec.Get("selector"))})
		}
		for _, name := range [...]string{model.DetailAllowed, model.DetailHealthy, model.DetailDesired, model.DetailExpected} {
			add(name, p.Status.Get(name))
		}
	case model.KindEndpointSlice:
		list = endpoints(list, &meta, p)
	case model.KindNodeClaim:
		add(model.DetailNode, p.Status.Get("nodeName"))
		list = conditionDetails(list, p.Status)
	case model.KindNodeHealthCheck:
		list = healthCheck(list, p)
	case model.KindAutoscalerStatus:
		list = autoscaler(list, p.Whole.Get("data.status").String())
	case model.KindServerLease:
		for _, label := range [...]struct{ detail, label string }{{model.DetailComponent, `apiserver\.kubernetes\.io/identity`}, {model.DetailHost, `kubernetes\.io/hostname`}} {
			add(label.detail, meta.labels.Get(label.label))
		}
		add(model.DetailHolder, p.Spec.Get("holderIdentity"))
		add(model.DetailLasts, p.Spec.Get("leaseDurationSeconds"))
		list = append(list, model.Detail{Name: model.DetailRenewed, Value: model.DetailTime(Time(p.Spec.Get("renewTime")))})
	case model.KindVolumeAttachment:
		add(model.DetailNode, p.Spec.Get("nodeName"))
		add(model.DetailDriver, p.Spec.Get("attacher"))
		add(model.DetailVolume, p.Spec.Get("source.persistentVolumeName"))
		add(model.DetailAttached, p.Status.Get("attached"))
		add(model.DetailError, p.Status.Get("attachError.message"))
		add(model.DetailError, p.Status.Get("detachError.message"))
	case model.KindPersistentVolume:
		add(model.DetailDriver, p.Spec.Get("csi.driver"))
		if claim := p.Spec.Get("claimRef"); claim.Get("name").String() != "" {
			list = append(list, model.Detail{Name: model.DetailClaimOf, Value: claim.Get("namespace").String() + "/" + claim.Get("name").String()})
		}
	}
	return &model.Related{UID: meta.uid, Created: meta.created, Deleted: meta.deleted, Details: d.pack(list)}
}

func (d *Decoder) pack(list []model.Detail) model.Details {
	d.packed = model.PackLong(list, d.packed[:0])
	clear(list) // it holds text of the document
	d.list = list[:0]
	return model.Details(d.Bytes(d.packed))
}

// podDetails are a pod's PersistentVolumeClaims, requests, priority, why it ended, and labels.
func (d *Decoder) podDetails(pod string, meta *metadata, of *podParts) model.Details {
	list := d.list[:0]
	items(of.volumes, func(volume gjson.Result) {
		name := volume.Get("name").String()
		claim := volume.Get("persistentVolumeClaim.claimName").String()
		if claim == "" && volume.Get("ephemeral").IsObject() {
			claim = pod + "-" + name
		}
		if claim != "" {
			list = append(list, model.Detail{Name: model.DetailClaim + claim, Value: name})
		}
	})
	if len(list) > 0 && of.status.IsObject() {
		list = append(list, model.Detail{Name: model.DetailRunning, Value: runs(of.status)})
	}
	if text := of.requests(); text != "" {
		list = append(list, model.Detail{Name: model.DetailRequests, Value: text})
	}
	if of.priority.Type == gjson.Number {
		list = append(list, model.Detail{Name: model.DetailPriority, Value: strconv.FormatInt(of.priority.Int(), 10)})
	}
	if phase := model.ParsePhase(of.phase.Str); phase == model.PhaseFailed || phase == model.PhaseSucceeded {
		if e, ok := model.EndingOf(of.reason.Str, of.message.Str); ok {
			list = append(list, model.Detail{Name: model.DetailEnded, Value: d.String(e.String())})
		}
	}
	return d.pack(model.WithLabels(list, func(yield func(key, value string) bool) {
		meta.labels.ForEach(func(key, value gjson.Result) bool { return yield(key.Str, value.String()) })
	}))
}

// requests are the resources that the scheduler counts for a pod; "" if its containers are not shown, or not readable.
func (of *podParts) requests() string {
	fine := true
	amount := func(text gjson.Result) model.Quantity {
		if !text.Exists() {
			return 0
		}
		q, ok := model.ParseQuantity(text.String())
		fine = fine && ok
		return q
	}
	asked := func(list gjson.Result) model.Requests {
		return model.Requests{CPU: amount(list.Get("cpu")), Memory: amount(list.Get("memory"))}
	}
	var containers []model.ContainerRequests
	add := func(list gjson.Result, init bool) {
		items(list, func(c gjson.Result) {
			containers = append(containers, model.ContainerRequests{Requests: asked(c.Get("resources.requests")), Init: init,
				Sidecar: init && c.Get("restartPolicy").Str == "Always"})
		})
	}
	if add(of.containers, false); len(containers) == 0 {
		return ""
	}
	add(of.initContainers, true)
	var whole model.WholeRequests
	if asks := of.resources.Get("requests"); asks.IsObject() {
		if cpu := asks.Get("cpu"); cpu.Exists() {
			whole.CPU = model.Some(amount(cpu))
		}
		if memory := asks.Get("memory"); memory.Exists() {
			whole.Memory = model.Some(amount(memory))
		}
	}
	sum := model.PodRequests(containers, asked(of.overhead), whole)
	if !fine {
		return ""
	}
	return sum.String()
}

// runs reports whether a container is neither waiting nor terminated.
func runs(status gjson.Result) string {
	for _, of := range [...]string{"initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"} {
		for _, container := range status.Get(of).Array() {
			if state := container.Get("state"); !state.Get("terminated").IsObject() && !state.Get("waiting").IsObject() {
				return "true"
			}
		}
	}
	return "false"
}
