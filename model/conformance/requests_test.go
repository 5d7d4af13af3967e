package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	resources "k8s.io/component-helpers/resource"
	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
)

// requested is a list of requests as the model has it.
func requested(list corev1.ResourceList) model.Requests {
	return model.Requests{CPU: model.Quantity(list.Cpu().MilliValue()), Memory: model.Quantity(list.Memory().MilliValue())}
}

// What a pod requests is what the scheduler's own code counts, for any containers; and quantities are read alike.
func TestRequestsOfPods(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := func(label string) corev1.ResourceList {
			out := corev1.ResourceList{}
			if cpu := rapid.SampledFrom([]string{"", "0", "1", "250m", "1.5", "1e1"}).Draw(t, label+" cpu"); cpu != "" {
				out[corev1.ResourceCPU] = resource.MustParse(cpu)
			}
			if memory := rapid.SampledFrom([]string{"", "0", "64Mi", "1G", "1.5Gi", "100500m", "123456789"}).Draw(t, label+" memory"); memory != "" {
				out[corev1.ResourceMemory] = resource.MustParse(memory)
			}
			return out
		}
		pod, is := &corev1.Pod{}, []model.ContainerRequests{}
		for range rapid.IntRange(1, 3).Draw(t, "containers") {
			asks := list("container")
			pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Resources: corev1.ResourceRequirements{Requests: asks}})
			is = append(is, model.ContainerRequests{Requests: requested(asks)})
		}
		always := corev1.ContainerRestartPolicyAlways
		for range rapid.IntRange(0, 4).Draw(t, "before") {
			asks := list("before")
			c, sidecar := corev1.Container{Resources: corev1.ResourceRequirements{Requests: asks}}, rapid.Bool().Draw(t, "sidecar")
			if sidecar {
				c.RestartPolicy = &always
			}
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
			is = append(is, model.ContainerRequests{Requests: requested(asks), Init: true, Sidecar: sidecar})
		}
		if rapid.Bool().Draw(t, "runtime class") {
			pod.Spec.Overhead = list("overhead")
		}
		var whole model.WholeRequests
		if rapid.Bool().Draw(t, "as a whole") {
			asks := list("whole")
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: asks}
			if _, ok := asks[corev1.ResourceCPU]; ok {
				whole.CPU = model.Some(requested(asks).CPU)
			}
			if _, ok := asks[corev1.ResourceMemory]; ok {
				whole.Memory = model.Some(requested(asks).Memory)
			}
		}
		want := resources.PodRequests(pod, resources.PodResourcesOptions{})
		if got := model.PodRequests(is, requested(pod.Spec.Overhead), whole); got != requested(want) {
			t.Fatalf("%+v: the scheduler counts %+v, we %+v", pod.Spec, requested(want), got)
		}
		for _, q := range want {
			if got, ok := model.ParseQuantity(q.String()); !ok || int64(got) != q.MilliValue() {
				t.Fatalf("%s is read as %d", q.String(), got)
			}
		}
	})
}
