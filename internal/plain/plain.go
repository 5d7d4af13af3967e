// Package plain prints the parts of a decision for tests; ui/topics has the sentences for people.
package plain

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
)

// Check is its code, both operands and the result.
func Check(c *model.Check) string {
	left, right := c.Sides()
	return fmt.Sprintf("%s %s %s %s: %v", strings.TrimSpace(c.What.String()+" "+c.Of), left, c.Op, right, c.Holds)
}

// Reason is its codes and values.
func Reason(r model.Reason) string {
	if r.Code == model.NoReason {
		return ""
	}
	parts := []string{r.Code.String()}
	for _, c := range r.Also {
		if c != model.NoReason {
			parts = append(parts, c.String())
		}
	}
	if r.Name != "" {
		parts = append(parts, r.Name)
	}
	for _, at := range [...]model.Instant{r.At, r.Until} {
		if at != 0 {
			parts = append(parts, at.Clock())
		}
	}
	if r.Times != 0 {
		parts = append(parts, fmt.Sprint(r.Times))
	}
	for _, d := range [...]time.Duration{r.For, r.Most, r.Heard, r.Posted} {
		if d != 0 {
			parts = append(parts, model.Length(d))
		}
	}
	return strings.Join(parts, " ")
}
