// Command film makes the README's animated picture from the program's own frames:
//
//	go run ./internal/film > docs/kardia.svg
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"kardia/ui/cli/command"
	"kardia/ui/cli/kube"
)

type scene struct {
	args    string
	seconds float64
}

var story = []scene{
	{"--at +60s", 1}, {"--at +80s", 1}, {"--at +100s", 1}, {"--at +106s", 1}, {"--at +112s", 1}, {"--at +140s", 0.8}, {"--at +160s", 0.8}, {"--at +190s", 0.9},
	{"--at +190s --view evictions", 1.2}, {"--at +215s --view evictions", 0.8}, {"--at +265s --view evictions", 0.8},
	{"--at +250s --view node --node ip-10-20-43-31.eu-central-1.compute.internal", 2.4},
	{"--at +290s --view timeline", 0.8}, {"--at +420s --view timeline", 0.8}, {"--at +480s --view timeline", 0.8},
}

func main() {
	var frames []string
	for _, s := range story {
		var out, errs bytes.Buffer
		args := append([]string{"kardia", "demo", "--size", "100x30", "-o", "svg", "--theme", "dark"}, strings.Fields(s.args)...)
		code := command.Run(context.Background(), command.World{Args: args, Out: &out, Err: &errs, Kube: kube.New(os.Stderr)})
		if code != command.OK {
			fmt.Fprintf(os.Stderr, "film: %s: exit code %d\n%s", s.args, code, errs.String())
			os.Exit(1)
		}
		frames = append(frames, out.String())
	}
	fmt.Print(film(frames, story))
}

// film joins SVG pictures of one size into a loop. An element of several frames is written once, with its times.
func film(frames []string, story []scene) string {
	head, _, _ := strings.Cut(frames[0], "</g>")
	head = head[:strings.Index(head, "<g ")]
	group := frames[0][strings.Index(frames[0], "<g "):]
	group = group[:strings.Index(group, "\n")+1]

	var order []string          // the elements, by first frame
	seen := map[string][]bool{} // the frames of each element
	for i, frame := range frames {
		_, body, _ := strings.Cut(frame, group)
		body, _, _ = strings.Cut(body, "</g>")
		for _, e := range elements(body) {
			if seen[e] == nil {
				seen[e] = make([]bool, len(frames))
				order = append(order, e)
			}
			seen[e][i] = true
		}
	}
	var b strings.Builder
	b.WriteString(head + group)
	for _, kind := range []string{"<rect", "<text"} { // background first
		together := map[string][]string{} // the elements by their frames
		var patterns []string
		for _, e := range order {
			if !strings.HasPrefix(e, kind) {
				continue
			}
			p := animation(seen[e], story)
			if together[p] == nil {
				patterns = append(patterns, p)
			}
			together[p] = append(together[p], e)
		}
		for _, p := range patterns {
			b.WriteString("<g>" + p + "\n" + strings.Join(together[p], "\n") + "\n</g>\n")
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// elements are the rectangles and words of a frame.
func elements(body string) []string {
	body = strings.ReplaceAll(body, "/><text", "/>\n<text")
	body = strings.ReplaceAll(body, "/><rect", "/>\n<rect")
	return strings.FieldsFunc(body, func(r rune) bool { return r == '\n' })
}

// animation shows an element in some of the frames; "" if it is in all.
func animation(in []bool, story []scene) string {
	total := 0.0
	for _, s := range story {
		total += s.seconds
	}
	var values, times []string
	at, hidden := 0.0, false
	for i, s := range story {
		if i == 0 || in[i] != in[i-1] {
			value := "inline"
			if !in[i] {
				value, hidden = "none", true
			}
			values, times = append(values, value), append(times, fmt.Sprintf("%.4g", at/total))
		}
		at += s.seconds
	}
	if !hidden {
		return ""
	}
	return fmt.Sprintf(`<animate attributeName="display" calcMode="discrete" repeatCount="indefinite" dur="%gs" values="%s" keyTimes="%s"/>`,
		total, strings.Join(values, ";"), strings.Join(times, ";"))
}
