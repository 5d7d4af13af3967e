package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"
)

func (r *run) rbac() *cobra.Command {
	var users, groups, accounts []string
	return r.command(command{
		use:   "rbac",
		short: "Print the least role that Kardia needs, and its bindings",
		long: `Prints, as YAML for kubectl apply, the least that must be allowed to watch a
cluster, and binds it to the users, groups and service accounts that are given.
Without one of them it prints the roles alone, which grant nothing until they
are bound. Kardia only reads.`,
		example: "  kardia rbac --group sre | kubectl apply -f -\n  kardia rbac --serviceaccount monitoring:kardia | kubectl apply -f -",
		flags: func(flags *pflag.FlagSet) {
			flags.StringSliceVar(&users, "user", nil, "bind the roles to this user; may be repeated")
			flags.StringSliceVar(&groups, "group", nil, "bind the roles to this group; may be repeated")
			flags.StringSliceVar(&accounts, "serviceaccount", nil, "bind the roles to this service account, NAMESPACE:NAME; may be repeated")
		},
		run: func(*call) error {
			subjects, err := subjectsOf(users, groups, accounts)
			if err != nil {
				return err
			}
			if len(subjects) == 0 {
				r.say("these roles grant nothing until they are bound: --user, --group or --serviceaccount NAMESPACE:NAME adds the bindings")
			}
			bound, err := bindings(subjects)
			if err != nil {
				return err
			}
			_, err = io.WriteString(r.Out, r.Kube.Role()+bound)
			return err
		},
	})
}

type subject struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	APIGroup  string `json:"apiGroup,omitempty"`
}

const rbacGroup = "rbac.authorization.k8s.io"

func subjectsOf(users, groups, accounts []string) (list []subject, err error) {
	for _, name := range users {
		list = append(list, subject{Kind: "User", Name: name, APIGroup: rbacGroup})
	}
	for _, name := range groups {
		list = append(list, subject{Kind: "Group", Name: name, APIGroup: rbacGroup})
	}
	for _, text := range accounts {
		namespace, name, ok := strings.Cut(text, ":")
		if !ok || namespace == "" || name == "" {
			return nil, misuse("--serviceaccount %q is not NAMESPACE:NAME", text)
		}
		list = append(list, subject{Kind: "ServiceAccount", Name: name, Namespace: namespace})
	}
	for _, s := range list {
		if strings.TrimSpace(s.Name) == "" {
			return nil, misuse("--user and --group need a name")
		}
	}
	return list, nil
}

// bindings bind the roles of Role to subjects, as YAML; "" for none.
func bindings(subjects []subject) (string, error) {
	var b strings.Builder
	for _, x := range [...]struct{ binding, role, namespace string }{
		{"ClusterRoleBinding", "ClusterRole", ""}, {"RoleBinding", "Role", "kube-node-lease"}, {"RoleBinding", "Role", "kube-system"},
	} {
		if len(subjects) == 0 {
			break
		}
		metadata := map[string]string{"name": "kardia"}
		if x.namespace != "" {
			metadata["namespace"] = x.namespace
		}
		text, err := yaml.Marshal(map[string]any{"apiVersion": rbacGroup + "/v1", "kind": x.binding, "metadata": metadata,
			"roleRef": map[string]string{"apiGroup": rbacGroup, "kind": x.role, "name": "kardia"}, "subjects": subjects})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "---\n%s", text)
	}
	return b.String(), nil
}
