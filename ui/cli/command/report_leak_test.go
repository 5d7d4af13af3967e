package command

import (
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kardia/sources/open"
	"kardia/sources/redact"
	"kardia/ui/contract"
)

// inAllForms is a report in each of its forms, made once.
func inAllForms(t *testing.T, level, keyFile string, paths ...string) map[string]string {
	t.Helper()
	opened, err := open.Open(t.Context(), paths, open.Options{})
	ok(t, err)
	defer opened.Close()
	f := &reportFlags{output: &word{"md", reportForms}, level: &word{level, redact.Levels}, keyFile: keyFile}
	r := &run{World: World{Out: io.Discard, Err: io.Discard}, program: "kardia"}
	out := map[string]string{}
	ok(t, r.makeReport(t.Context(), f, opened, paths, func(made *contract.Postmortem) error {
		for _, form := range contract.Forms {
			var text strings.Builder
			if err := form.Write(&text, made); err != nil {
				return err
			}
			out[form.Name] = text.String()
		}
		return nil
	}))
	return out
}

var (
	uid     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	address = regexp.MustCompile(`\b[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\b`)
)

// TestNothingLeaksFromARedactedReport: no form has a name of a node or a pod, an id, an address, a person, or a
// place on the disk; zones stay with share, and go with public.
func TestNothingLeaksFromARedactedReport(t *testing.T) {
	t.Parallel()
	p := piecesOf(t, "node-loss")
	dir := filepath.Join(t.TempDir(), "customer-acme")
	p.all(t, dir)
	secrets := map[string]bool{"customer-acme": true, "audit.log": true, "watch.jsonl": true, "admin": true, filepath.Dir(dir): true}
	for _, kind := range []string{"nodes", "pods"} {
		for i := range p.events[kind] {
			_, name, _ := strings.Cut(p.events[kind][i].key, "/")
			secrets[name] = true
		}
	}
	for _, level := range []string{"share", "public"} {
		for form, text := range inAllForms(t, level, filepath.Join(t.TempDir(), "key"), dir) {
			if len(text) < 1000 {
				t.Errorf("%s, %s: %s", level, form, text)
			}
			for _, name := range slices.Sorted(maps.Keys(secrets)) {
				if i := strings.Index(text, name); i >= 0 {
					t.Errorf("%s, %s: %s is in it: %q", level, form, name, text[max(i-60, 0):min(i+60, len(text))])
				}
			}
			for _, found := range append(uid.FindAllString(text, 3), address.FindAllString(text, 3)...) {
				t.Errorf("%s, %s: %s is in it", level, form, found)
			}
			if strings.Contains(text, "eu-west") != (level == "share") && form != "svg" {
				t.Errorf("%s, %s: zones stay %v", level, form, strings.Contains(text, "eu-west"))
			}
			if strings.Contains(text, "2026-11-20") != (level == "share") {
				t.Errorf("%s, %s: its day stays %v", level, form, strings.Contains(text, "2026-11-20"))
			}
		}
	}
}
