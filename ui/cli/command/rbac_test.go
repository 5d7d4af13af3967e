package command

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// What the README pipes into kubectl grants the roles: each is bound, to all that were named.
func TestRBACBindsTheRoles(t *testing.T) {
	got := kardia(t, nil, "rbac --group sre --user a,b --serviceaccount monitoring:kardia")
	if got.code != OK || got.err != "" {
		t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	want := []subject{{Kind: "User", Name: "a", APIGroup: rbacGroup}, {Kind: "User", Name: "b", APIGroup: rbacGroup},
		{Kind: "Group", Name: "sre", APIGroup: rbacGroup}, {Kind: "ServiceAccount", Name: "kardia", Namespace: "monitoring"}}
	bound := []string{}
	for doc := range strings.SplitSeq(got.out, "---\n") {
		var is struct {
			Kind     string
			Metadata struct{ Namespace string }
			RoleRef  struct{ Kind, Name string }
			Subjects []subject
		}
		if err := yaml.Unmarshal([]byte(doc), &is); err != nil {
			t.Fatal(err)
		}
		if is.RoleRef.Name == "" {
			continue
		}
		bound = append(bound, is.Kind+" "+is.RoleRef.Kind+" "+is.Metadata.Namespace)
		if is.RoleRef.Name != "kardia" || !slices.Equal(is.Subjects, want) {
			t.Errorf("%s binds %+v to %+v", is.Kind, is.RoleRef, is.Subjects)
		}
	}
	if want := []string{"ClusterRoleBinding ClusterRole ", "RoleBinding Role kube-node-lease", "RoleBinding Role kube-system"}; !slices.Equal(bound, want) {
		t.Errorf("bound are %q, want %q", bound, want)
	}
}
