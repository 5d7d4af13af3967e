package command

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/open"
	"kardia/ui/topics"
)

// paramFlags are the kube-controller-manager flags that decisions depend on, by their real names.
type paramFlags struct {
	given   model.Params // From is FromFlag if a flag was given
	version string
}

func (p *paramFlags) add(flags *pflag.FlagSet) {
	standard := model.Defaults(model.Version{})
	for i := range model.Flags {
		f := &model.Flags[i]
		flags.Var(&value[model.Params]{is: &p.given, kind: f.Kind, shown: f.Value(&standard), read: func(text string) (model.Params, error) {
			given := p.given
			err := f.Set(&given, text, model.FromFlag)
			return given, err
		}}, f.Name, topics.Flag(f))
	}
	flags.Var(&value[string]{is: &p.version, kind: "version", read: readVersion}, "kubernetes-version", "the control plane's version, if the input does not show it; sets the defaults of the flags")
}

// set sets a flag by its name.
func (p *paramFlags) set(name, text string) error {
	flag := flagsOf(p).Lookup(name)
	if flag == nil {
		return errors.New("there is no such flag of kube-controller-manager that Kardia models")
	}
	return flag.Value.Set(text)
}

// params are the given flags over the defaults of the cluster's version, which the version flag overrides.
func (p *paramFlags) params(serverVersion string) model.Params {
	return p.paramsOver(serverVersion, nil)
}

// paramsOf is params of the opened input. Flags that a recording states override the defaults.
func (p *paramFlags) paramsOf(o *open.Opened) model.Params {
	out := p.paramsOver(o.ServerVersion, o.Stated())
	if out.Version == (model.Version{}) && out.NodeMonitorGracePeriod.From == model.FromDefault {
		if most, ok := o.VersionAtMost(); ok {
			out.NodeMonitorGracePeriod = model.Defaults(most).NodeMonitorGracePeriod
		}
	}
	return out
}

func (p *paramFlags) paramsOver(serverVersion string, stated *model.Params) model.Params {
	if p.version != "" {
		serverVersion = p.version
	}
	v, _ := model.ParseVersion(serverVersion)
	out := model.Defaults(v)
	if stated != nil {
		out.SetOver(stated, model.FromFile)
	}
	out.SetOver(&p.given, model.FromFlag)
	return out
}

// resolve is params, and refuses flags that contradict each other.
func (p *paramFlags) resolve(serverVersion string) (model.Params, error) {
	return p.sound(p.params(serverVersion))
}

// resolveOf is resolve for the opened input.
func (p *paramFlags) resolveOf(o *open.Opened) (model.Params, error) {
	return p.sound(p.paramsOf(o))
}

// statedOf is resolveOf, and nil if no flag is given or stated.
func (p *paramFlags) statedOf(o *open.Opened) (*model.Params, error) {
	if !p.any() && o.Stated() == nil {
		return nil, nil
	}
	all, err := p.resolveOf(o)
	if err != nil {
		return nil, err
	}
	return &all, nil
}

func (p *paramFlags) sound(out model.Params) (model.Params, error) {
	if err := out.Sound(); err != nil {
		return out, misuse("%v", err)
	}
	return out, nil
}

func (p *paramFlags) any() bool { return p.version != "" || p.given != model.Params{} }

const longest = 24 * time.Hour

func readVersion(text string) (string, error) {
	if _, ok := model.ParseVersion(text); !ok {
		return "", errors.New("must be a Kubernetes version, as in 1.36 or v1.36.3")
	}
	return text, nil
}
