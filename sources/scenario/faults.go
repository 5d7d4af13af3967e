package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// needs is the part of a fault's statement besides its nodes.
type needs uint8

const (
	nothing needs = iota
	text
	pressure
	taint
	length  // how long it lasts
	absence // of a leader
	shift
	workload
	newNodes
)

// failoverTakes is how long there is no leader after the last one ends, unless a file sets it. The next candidate waits
// until the lease has run out.
// Source: kubernetes: component-base/config/v1alpha1, RecommendedDefaultLeaderElectionConfiguration.
const failoverTakes = 15 * time.Second

// fault reads "at 2m kill b-001..b-003".
func (p *parser) fault(s *statement) error {
	if len(s.words) < 2 {
		return errors.New("expected a time and what happens then: at 2m kill b-001")
	}
	at, err := duration(s.words[0])
	if err != nil {
		return err
	}
	word := s.words[1]
	verb, ok := verbs[word]
	if !ok {
		return fmt.Errorf("nothing is called %q that can happen; expected %s", word, strings.Join(slices.Sorted(maps.Keys(verbs)), ", "))
	}
	f := Fault{At: at, verb: verb, Taint: verb.taint, Line: p.number}
	s.words = s.words[2:]
	if err := p.details(&f, s); err != nil {
		return fmt.Errorf("%s: %w", word, err)
	}
	if verb.each != nil && verb.needs != newNodes {
		if f.Nodes, err = p.chosen(s); err != nil {
			return fmt.Errorf("%s: %w", word, err)
		}
	} else if len(s.words) > 0 {
		return fmt.Errorf("%s: %q is not expected here", word, s.words[0])
	}
	p.s.Faults = append(p.s.Faults, f)
	return nil
}

// details reads the parts of a fault's statement other than the nodes, and takes them off the end of its words.
func (p *parser) details(f *Fault, s *statement) (err error) {
	switch f.verb.needs {
	case text:
		f.Text = "container runtime is down"
		if n := len(s.words); n > 0 && strings.Contains(s.words[n-1], " ") {
			f.Text = s.last()
		}
	case pressure:
		if f.Text = s.last(); !slices.Contains([]string{"memory", "disk", "pid"}, f.Text) {
			return fmt.Errorf("expected memory, disk or pid at the end, found %q", f.Text)
		}
		err = given(s, "evicts", &f.Evicts, count(maxPods))
	case newNodes:
		err = p.join(f, s)
	case taint:
		f.Taint, err = parseTaint(s.last())
	case shift:
		by, ok := s.take("by")
		if f.By, err = time.ParseDuration(strings.TrimPrefix(by, "+")); !ok || err != nil {
			return fmt.Errorf("expected by=90s or by=-30s, found %q", by)
		}
	case workload:
		if len(s.words) < 2 {
			return errors.New("expected a workload and a number: scale shop/web 20")
		}
		replicas := s.last()
		return p.scaled(f, s.last(), replicas)
	case length, absence:
		f.For = failoverTakes
		if given, ok := s.take("for"); ok {
			f.For, err = duration(given)
		} else if f.verb.needs == length {
			err = errors.New("expected for=30s: how long the API server does not answer")
		}
	}
	return err
}

func (p *parser) scaled(f *Fault, name, replicas string) (err error) {
	i, ok := p.workloads[workloadKey(name)]
	if !ok {
		return fmt.Errorf("no workload is called %q", name)
	}
	if kind := p.s.Workloads[i].Kind; kind == "DaemonSet" || kind == "Pod" {
		return fmt.Errorf("a %s has no replicas", kind)
	}
	f.Workload = i
	if f.Replicas, err = strconv.Atoi(replicas); err != nil || f.Replicas < 0 || f.Replicas > maxPods {
		return fmt.Errorf("expected a number of replicas, found %q", replicas)
	}
	return nil
}

// chosen are the nodes of a fault: by name, by range, by zone, or all.
func (p *parser) chosen(s *statement) (list []int, err error) {
	words := s.words
	zone, byZone := s.take("zone")
	if len(words) == 0 && !byZone {
		return nil, errors.New("expected nodes: names, a-001..a-010, zone=a, or all")
	}
	for i, n := range p.s.Nodes {
		if byZone && n.Zone.Zone == zone || slices.Equal(words, []string{"all"}) {
			list = append(list, i)
		}
	}
	if byZone && len(list) == 0 {
		return nil, fmt.Errorf("no node is in zone %q", zone)
	}
	if slices.Equal(words, []string{"all"}) {
		return list, nil
	}
	for _, word := range words {
		names, err := expand(word)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			i, ok := p.nodes[name]
			if !ok {
				return nil, p.noNode(name)
			}
			if !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	return list, nil
}
