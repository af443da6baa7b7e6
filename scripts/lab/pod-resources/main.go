// Writes random pods and what Kubernetes itself computes of them, one JSON object a line:
//
//	go run . 2000 | gzip -9n > ../../../collector/fixtures/kubernetes/pod-resources.jsonl.gz
//
// The collector's test reads the file. The same count gives the same pods.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
)

type generator struct{ *rand.Rand }

func (g generator) chance(percent int) bool { return g.Intn(100) < percent }
func (g generator) pick(texts ...string) resource.Quantity {
	return resource.MustParse(texts[g.Intn(len(texts))])
}

// Resources of a container or of a pod; each of the four figures may be missing.
func (g generator) list(percent int) v1.ResourceList {
	list := v1.ResourceList{}
	if g.chance(percent) {
		list[v1.ResourceCPU] = g.pick("100m", "0.25", "1", "1500m", "2", "0", "10u", "3e-1")
	}
	if g.chance(percent) {
		list[v1.ResourceMemory] = g.pick("64Mi", "128M", "1Gi", "1.5Gi", "500000000", "0", "1e9", "100k")
	}
	if g.chance(10) {
		list["nvidia.com/gpu"] = resource.MustParse("1")
	}
	if len(list) == 0 {
		return nil
	}
	return list
}
func (g generator) both(percent int) v1.ResourceRequirements {
	return v1.ResourceRequirements{Requests: g.list(percent), Limits: g.list(percent)}
}

func (g generator) pod() *v1.Pod {
	pod := &v1.Pod{}
	always := v1.ContainerRestartPolicyAlways
	for i := range 1 + g.Intn(3) {
		pod.Spec.Containers = append(pod.Spec.Containers, v1.Container{Name: fmt.Sprintf("c%d", i), Resources: g.both(75)})
	}
	for i := range g.Intn(4) {
		one := v1.Container{Name: fmt.Sprintf("i%d", i), Resources: g.both(75)}
		if g.chance(50) {
			one.RestartPolicy = &always
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, one)
	}
	if g.chance(25) {
		both := g.both(70)
		pod.Spec.Resources = &both
	}
	if g.chance(20) {
		pod.Spec.Overhead = g.list(70)
	}
	if g.chance(35) {
		g.resize(pod)
	}
	return pod
}

// Other amounts of the same resources: a resize adds and removes none.
func (g generator) changed(list v1.ResourceList) v1.ResourceList {
	if list == nil {
		return nil
	}
	all := v1.ResourceList{}
	for len(all) < 2 {
		for name, quantity := range g.list(90) {
			all[name] = quantity
		}
		delete(all, "nvidia.com/gpu")
	}
	other := v1.ResourceList{}
	for name, quantity := range list {
		other[name] = quantity
		if amount, ok := all[name]; ok {
			other[name] = amount
		}
	}
	return other
}

// A pod that is resized in place: its status has what is allocated and what runs.
func (g generator) resize(pod *v1.Pod) {
	status := func(container v1.Container) v1.ContainerStatus {
		one := v1.ContainerStatus{Name: container.Name}
		if g.chance(80) {
			one.Resources = &v1.ResourceRequirements{
				Requests: g.changed(container.Resources.Requests), Limits: g.changed(container.Resources.Limits),
			}
		}
		if g.chance(60) {
			one.AllocatedResources = g.changed(container.Resources.Requests)
		}
		return one
	}
	for _, container := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status(container))
	}
	for _, container := range pod.Spec.InitContainers {
		pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, status(container))
	}
	if g.chance(40) {
		reason := v1.PodReasonDeferred
		if g.chance(60) {
			reason = v1.PodReasonInfeasible
		}
		pending := v1.PodCondition{Type: v1.PodResizePending, Status: v1.ConditionTrue, Reason: reason}
		pod.Status.Conditions = []v1.PodCondition{pending}
	}
}

// Cores and bytes; null where Kubernetes has no entry.
func amounts(list v1.ResourceList) map[string]*float64 {
	figures := map[string]*float64{"cpu_cores": nil, "memory_bytes": nil}
	for key, name := range map[string]v1.ResourceName{"cpu_cores": v1.ResourceCPU, "memory_bytes": v1.ResourceMemory} {
		if quantity, ok := list[name]; ok {
			value := quantity.AsApproximateFloat64()
			figures[key] = &value
		}
	}
	return figures
}

func main() {
	count, err := strconv.Atoi(append(os.Args, "", "")[1])
	if err != nil || count < 1 {
		fmt.Fprintln(os.Stderr, "usage: go run . COUNT")
		os.Exit(2)
	}
	g := generator{rand.New(rand.NewSource(1))}
	out := json.NewEncoder(os.Stdout)
	for range count {
		pod := g.pod()
		options := helpers.PodResourcesOptions{UseStatusResources: true}
		if err := out.Encode(map[string]any{
			"spec": pod.Spec, "status": pod.Status,
			// Copies: both add the overhead to the quantities of the pod itself where those are fractions.
			"requests": amounts(helpers.PodRequests(pod.DeepCopy(), options)),
			"limits":   amounts(helpers.PodLimits(pod.DeepCopy(), options)),
		}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
