package model_test

import (
	"testing"

	"kardia/model"
)

// TestAUIDIsItsText: what is no UUID in its one form is kept as the text it is.
func TestAUIDIsItsText(t *testing.T) {
	var names model.Interner
	for _, text := range []string{
		"",
		"cb49ecd7-3024-572c-8000-0123456789ab",
		"CB49ECD7-3024-572C-8000-0123456789AB",
		"00000000-0000-0000-0000-000000000000",
		"00000000-0000-0000-0000-0000-0000000", // a hyphen more splits a byte
		"00000000-0000-0000-0000-00--00000001",
		"cb49ecd7-3024-572c-8000-0123456789a-",
		"cb49ecd73-024-572c-8000-0123456789ab",
		"odd",
	} {
		if got := names.UID(text).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
