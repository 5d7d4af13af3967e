package command

import (
	"os"
	"reflect"
	"testing"

	"kardia/internal/jsonschema"
	"kardia/ui/contract/schematest"
)

// TestVersionSchema: docs/schema has the schema of the version, as its type has it.
func TestVersionSchema(t *testing.T) {
	schematest.Compare(t, "../../../../docs/schema/version.json", reflect.TypeFor[build](), "kardia version")
}

// TestEveryJSONFitsItsSchema: what commands print with -o json is as docs/schema says.
func TestEveryJSONFitsItsSchema(t *testing.T) {
	t.Parallel()
	for line, name := range map[string]string{
		"get nodes demo:node-loss --at +200s":                                         "nodes",
		"get zones demo:node-loss --at +200s":                                         "zones",
		"get pods demo:node-loss --at +200s":                                          "pods",
		"get evictions demo:node-loss --at +200s":                                     "evictions",
		"get impact demo:node-loss --at +200s":                                        "impact",
		"get statements ../../../sources/read/klog/testdata/node-loss.log.zst":        "statements",
		"decisions demo:node-loss":                                                    "decisions",
		"decisions ../../../sources/read/klog/testdata/all-dark.log.zst":              "decisions",
		"why demo:node-loss --pod default/quick-ip-10-0-2-003-0":                      "why",
		"verdict demo:node-loss --at +100s":                                           "verdict",
		"margin demo:node-loss":                                                       "margin",
		"verify demo:node-loss ../../../sources/read/klog/testdata/node-loss.log.zst": "verify",
		"whatif demo:node-loss --node-monitor-grace-period=40s":                       "whatif",
		"diff demo:node-loss demo:all-dark":                                           "diff",
		"report demo:node-loss":                                                       "report",
		"report ../../../sources/read/klog/testdata/zone-outage.log.zst":              "report",
		"info demo:node-loss":                                                         "info",
		"check demo:node-loss --at +200s --fail-on unknown,eviction-within=5m":        "check",
		"whatif demo:node-loss --sweep node-monitor-grace-period=40s..60s/20s":        "sweep",
		"version": "version",
	} {
		schema, err := os.ReadFile("../../../docs/schema/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		got := kardia(t, nil, line+" -o json")
		if err := jsonschema.Check(schema, []byte(got.out)); err != nil {
			t.Errorf("%s: %v %.300s", line, err, got.err)
		}
	}
}
