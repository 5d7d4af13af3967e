package command

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/open"
)

// paramFlags are the flags of kube-controller-manager that node-lifecycle decisions
// depend on, by their real names.
type paramFlags struct {
	given   model.Params // From is FromFlag where a flag was given
	version string
}

func (p *paramFlags) add(flags *pflag.FlagSet) {
	d := model.Defaults(model.Version{})
	g := &p.given
	duration := func(param *model.Param[time.Duration], name, usage string, standard time.Duration) {
		flags.Var(&number[time.Duration]{param, standard.String(), "duration", parseDuration}, name, usage)
	}
	float := func(param *model.Param[float32], name, usage string, most float64, standard float32) {
		flags.Var(&number[float32]{param, strconv.FormatFloat(float64(standard), 'g', -1, 32), "float", parseFloat(most)}, name, usage)
	}
	duration(&g.NodeMonitorPeriod, "node-monitor-period", "how often the controller looks at all nodes", d.NodeMonitorPeriod.Value)
	duration(&g.NodeMonitorGracePeriod, "node-monitor-grace-period", "silence after which a node is declared Unknown; 40s up to 1.31, then 50s", d.NodeMonitorGracePeriod.Value)
	duration(&g.NodeStartupGracePeriod, "node-startup-grace-period", "the same for a node that never posted its status", d.NodeStartupGracePeriod.Value)
	float(&g.NodeEvictionRate, "node-eviction-rate", "nodes per second tainted NoExecute in a healthy zone", math.MaxFloat32, d.NodeEvictionRate.Value)
	float(&g.SecondaryNodeEvictionRate, "secondary-node-eviction-rate", "the same in a large zone that is partly unhealthy", math.MaxFloat32, d.SecondaryNodeEvictionRate.Value)
	flags.Var(&number[int32]{&g.LargeClusterSizeThreshold, strconv.Itoa(int(d.LargeClusterSizeThreshold.Value)), "int", parseCount},
		"large-cluster-size-threshold", "nodes above which a zone counts as large")
	float(&g.UnhealthyZoneThreshold, "unhealthy-zone-threshold", "share of nodes not ready from which a zone is partly unhealthy", 1, d.UnhealthyZoneThreshold.Value)
	flags.Var(&number[bool]{&g.ComparisonOperators, model.GateComparisonOperators + "=false", "gate", parseGate},
		"feature-gates", "alpha since 1.35: tolerations with the operators Gt and Lt count")
	flags.Var((*version)(&p.version), "kubernetes-version", "the control plane's version, where the input does not tell; decides the defaults above")
}

// params are the defaults of the cluster's version with the flags over them. The version
// flag wins over what the cluster said.
func (p *paramFlags) params(serverVersion string) model.Params {
	return p.paramsOver(serverVersion, nil)
}

// paramsOf is params of what was opened: what a recording states of its control plane stands over
// the defaults.
func (p *paramFlags) paramsOf(o *open.Opened) model.Params {
	return p.paramsOver(o.ServerVersion, o.Stated())
}

func (p *paramFlags) paramsOver(serverVersion string, stated *model.Params) model.Params {
	if p.version != "" {
		serverVersion = p.version
	}
	v, _ := model.ParseVersion(serverVersion)
	out, g := model.Defaults(v), &p.given
	if stated != nil {
		override(&out, stated, model.FromFile)
	}
	override(&out, g, model.FromFlag)
	return out
}

// override puts parameters over others, where they have at least this provenance.
func override(out, g *model.Params, least model.Provenance) {
	over(&out.NodeMonitorPeriod, g.NodeMonitorPeriod, least)
	over(&out.NodeMonitorGracePeriod, g.NodeMonitorGracePeriod, least)
	over(&out.NodeStartupGracePeriod, g.NodeStartupGracePeriod, least)
	over(&out.NodeEvictionRate, g.NodeEvictionRate, least)
	over(&out.SecondaryNodeEvictionRate, g.SecondaryNodeEvictionRate, least)
	over(&out.LargeClusterSizeThreshold, g.LargeClusterSizeThreshold, least)
	over(&out.UnhealthyZoneThreshold, g.UnhealthyZoneThreshold, least)
	over(&out.ComparisonOperators, g.ComparisonOperators, least)
}

// resolve is params, and refuses what cannot be together.
func (p *paramFlags) resolve(serverVersion string) (model.Params, error) {
	return p.sound(p.params(serverVersion))
}

// resolveOf is resolve for what was opened.
func (p *paramFlags) resolveOf(o *open.Opened) (model.Params, error) {
	return p.sound(p.paramsOf(o))
}

func (p *paramFlags) sound(out model.Params) (model.Params, error) {
	if grace, period := out.NodeMonitorGracePeriod.Value, out.NodeMonitorPeriod.Value; grace < period {
		return out, misuse("--node-monitor-grace-period %s must be a duration from --node-monitor-period, %s, up to 24h", grace, period)
	}
	if out.ComparisonOperators.Value && !out.Version.AtLeast(1, 35) {
		return out, misuse("--feature-gates %s=true: Kubernetes has this gate since v1.35, and the control plane is %s; --kubernetes-version says otherwise", model.GateComparisonOperators, out.Version)
	}
	return out, nil
}

// any says whether any of the flags was given.
func (p *paramFlags) any() bool { return p.version != "" || p.given != model.Params{} }

func over[T any](param *model.Param[T], given model.Param[T], least model.Provenance) {
	if given.From >= least {
		*param = given
	}
}

// number is a flag whose value must lie in a range.
type number[T any] struct {
	param    *model.Param[T]
	standard string
	kind     string
	parse    func(string) (T, error)
}

func (n *number[T]) String() string {
	if n.param == nil || n.param.From != model.FromFlag {
		return n.standard
	}
	return fmt.Sprint(n.param.Value)
}
func (n *number[T]) Type() string { return n.kind }

func (n *number[T]) Set(s string) error {
	v, err := n.parse(s)
	if err != nil {
		return err
	}
	*n.param = model.Param[T]{Value: v, From: model.FromFlag}
	return nil
}

const longest = 24 * time.Hour

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > longest {
		return 0, errors.New("must be a duration above 0 and up to 24h, as in 50s")
	}
	return d, nil
}

func parseFloat(most float64) func(string) (float32, error) {
	return func(s string) (float32, error) {
		f, err := strconv.ParseFloat(s, 32)
		switch {
		case err == nil && f >= 0 && f <= most:
			return float32(f), nil
		case most == 1:
			return 0, errors.New("must be a number from 0 to 1")
		}
		return 0, errors.New("must be a number of 0 or more")
	}
}

func parseCount(s string) (int32, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return 0, errors.New("must be a whole number of 0 or more")
	}
	return int32(n), nil
}

func parseGate(s string) (bool, error) {
	name, value, _ := strings.Cut(s, "=")
	on, err := strconv.ParseBool(value)
	if name != model.GateComparisonOperators || err != nil {
		return false, errors.New("must be " + model.GateComparisonOperators + "=true or =false: Kardia models no other gate")
	}
	return on, nil
}

// version is a flag that takes a Kubernetes version.
type version string

func (v *version) String() string { return string(*v) }
func (v *version) Type() string   { return "version" }

func (v *version) Set(s string) error {
	if _, ok := model.ParseVersion(s); !ok {
		return errors.New("must be a Kubernetes version, as in 1.36 or v1.36.3")
	}
	*v = version(s)
	return nil
}
