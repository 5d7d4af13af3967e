package object

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// Controller is the flags and the version of kube-controller-manager, by its Pods.
type Controller struct {
	// Flags are the values by name, without dashes, of model.Flags; "" if Pods differ.
	Flags map[string]string
	// Version is the tag of its image; "" if that is no Kubernetes version, or Pods differ.
	Version string
	seen    bool
}

// Params are the flags as stated by a file; nil without any.
func (c *Controller) Params() *model.Params { return model.ParamsOf(c.Flags) }

// The namespaces of kube-controller-manager's Pods: kubeadm and its like, OpenShift.
var controllerNamespaces = map[string]bool{model.SystemNamespace: true, "openshift-kube-controller-manager": true}

func (d *Decoder) controllerPod(key model.Key, containers gjson.Result) {
	if !controllerNamespaces[key.Namespace] || !strings.HasPrefix(key.Name, model.ControllerManager) {
		return
	}
	containers.ForEach(func(_, container gjson.Result) bool {
		image := container.Get("image").Str
		name, tag, _ := strings.Cut(path.Base(image), ":")
		tag, _, _ = strings.Cut(tag, "@")
		if container.Get("name").Str != model.ControllerManager && name != model.ControllerManager {
			return true
		}
		if _, ok := model.ParseVersion(tag); !ok {
			tag = ""
		}
		d.Controller.take(flagsOf(container), tag)
		return false
	})
}

// take joins another Pod's: values that differ are unknown.
func (c *Controller) take(flags map[string]string, version string) {
	if c.seen && version != c.Version {
		version = ""
	}
	if c.Flags == nil {
		c.Flags = map[string]string{}
	}
	for name, value := range flags {
		if was, ok := c.Flags[name]; c.seen && (!ok || was != value) {
			value = ""
		}
		c.Flags[name] = value
	}
	for name := range c.Flags {
		if _, ok := flags[name]; c.seen && !ok {
			c.Flags[name] = ""
		}
	}
	c.Version, c.seen = version, true
}

// flagsOf are the modelled flags of a container's command line, even within a shell's one word.
func flagsOf(container gjson.Result) map[string]string {
	var words []string
	for _, part := range [...]string{"command", "args"} {
		items(container.Get(part), func(word gjson.Result) { words = append(words, strings.Fields(word.String())...) })
	}
	flags := map[string]string{}
	for i, word := range words {
		name, dashed := strings.CutPrefix(word, "--")
		name, value, given := strings.Cut(name, "=")
		if !dashed || model.FlagNamed(name) == nil {
			continue
		}
		if !given && i+1 < len(words) {
			value = words[i+1]
		}
		if value = strings.Trim(value, `"'`); name == "feature-gates" {
			gates := strings.Split(value, ",")
			i := slices.IndexFunc(gates, func(g string) bool { return strings.HasPrefix(g, model.GateComparisonOperators+"=") })
			if i < 0 {
				continue
			}
			value = gates[i]
		}
		flags[name] = value
	}
	return flags
}
