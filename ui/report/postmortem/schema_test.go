package postmortem

import (
	"reflect"
	"testing"

	"kardia/ui/report/schematest"
)

// TestSchema: docs/schema has the schema of the report, as its type has it.
func TestSchema(t *testing.T) {
	schematest.Compare(t, "../../../../docs/schema/report.json", reflect.TypeFor[Report](), "kardia report")
}
