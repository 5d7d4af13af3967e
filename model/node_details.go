package model

import (
	"bytes"
	"strings"
)

// NodeDetails are the Details of a Node in two parts, each in order. Similar nodes share Common. Zero is none.
type NodeDetails struct{ Common, Own Details }

// SplitDetails divides the packed details of a Node. share makes the bytes a text, if possible one for equal bytes.
func SplitDetails(packed []byte, share func([]byte) string) NodeDetails {
	var common, own []byte
	for rest := packed; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		part := &common
		if differs(line) {
			part = &own
		}
		if len(*part) > 0 {
			*part = append(*part, '\n')
		}
		*part = append(*part, line...)
	}
	return NodeDetails{Details(share(common)), Details(share(own))}
}

func PackNode(list ...Detail) NodeDetails {
	return SplitDetails(PackDetails(list, nil), func(b []byte) string { return string(b) })
}

// differs reports whether a detail differs between nodes. A wrong answer only costs memory.
func differs(line []byte) bool {
	name, value, _ := strings.Cut(string(line), "=")
	switch name {
	case DetailReadyBy:
		return strings.Contains(value, " ") // with its time
	case DetailBootID, DetailMachineID, DetailSystemUUID, DetailPodCIDR, DetailCordoned, DetailTainted, DetailLabel + "kubernetes.io/hostname", DetailCapacity + "memory", DetailAllocatable + "memory":
		return true
	}
	return strings.HasPrefix(name, DetailAddress) || strings.HasPrefix(name, DetailWriter)
}

// All calls yield for each detail, in the order of names, until it returns false.
func (d NodeDetails) All(yield func(name, value string) bool) {
	for line := range d.lines {
		name, value, _ := strings.Cut(line, "=")
		if !yield(name, value) {
			return
		}
	}
}

// Value is the value of a detail; "" if there is none.
func (d NodeDetails) Value(name string) string {
	value, _ := d.Get(name)
	return value
}

// Get is the value of a detail; ok is false if there is none.
func (d NodeDetails) Get(name string) (value string, ok bool) {
	if value, ok = d.Own.Get(name); ok {
		return value, ok
	}
	return d.Common.Get(name)
}

func (d NodeDetails) Text() Details {
	if d.Own == "" || d.Common == "" {
		return d.Own + d.Common
	}
	var out strings.Builder
	out.Grow(len(d.Own) + len(d.Common) + 1)
	for line := range d.lines {
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(line)
	}
	return Details(out.String())
}

func (d NodeDetails) lines(yield func(line string) bool) {
	name := func(lines string) string {
		name, _, _ := strings.Cut(lines, "=")
		return name
	}
	for own, common := string(d.Own), string(d.Common); own != "" || common != ""; {
		from := &own
		if own == "" || common != "" && name(common) <= name(own) {
			from = &common
		}
		line, rest, _ := strings.Cut(*from, "\n")
		if *from = rest; !yield(line) {
			return
		}
	}
}
