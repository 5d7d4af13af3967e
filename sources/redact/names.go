package redact

import (
	"fmt"
	"strings"

	"kardia/model"
)

func (r *Redactor) name(s string) string {
	if s == "" {
		return ""
	}
	if p, ok := r.names[s]; ok {
		return p
	}
	p := r.key.pseudonym(s)
	if isMaster(s) {
		p += "-master"
	}
	r.names[strings.Clone(s)] = p
	r.removed["names"]++
	return p
}

// isMaster: up to 1.18 a node's name decides whether it counts in its zone.
// Source: kubernetes v1.18: pkg/util/system, IsMasterNode.
func isMaster(name string) bool {
	return strings.HasSuffix(name, "master") || len(name) >= 3 && strings.HasSuffix(name[:len(name)-3], "master-")
}

func (r *Redactor) namespace(s string) string {
	if namespaces[s] {
		return s
	}
	return r.name(s)
}

// word keeps words of Kubernetes. Taints and tolerations are matched by key, so both get the same pseudonym.
func (r *Redactor) word(s string) string {
	if words[s] {
		return s
	}
	return r.name(s)
}

// holder is a lease's holderIdentity: the node's name, or host_uuid of a leader.
func (r *Redactor) holder(kind model.Kind, s string) string {
	if host, rest, ok := strings.Cut(s, "_"); ok && kind == model.KindLeaderLease {
		return r.name(host) + "_" + r.name(rest)
	}
	return r.name(s)
}

// maxUIDs is how many UIDs are cached; those of leases repeat.
const maxUIDs = 1 << 16

func (r *Redactor) uid(u model.UID) model.UID {
	if !u.Known() {
		return u
	}
	if v, ok := r.uids[u]; ok {
		return v
	}
	if r.uids == nil || len(r.uids) >= maxUIDs {
		r.uids = map[model.UID]model.UID{}
	}
	m := r.key.mac("uid", u.String())
	m[6] = m[6]&0x0f | 0x40
	m[8] = m[8]&0x3f | 0x80
	v := model.ParseUID(fmt.Sprintf("%x-%x-%x-%x-%x", m[0:4], m[4:6], m[6:8], m[8:10], m[10:16]), nil)
	r.uids[u] = v
	return v
}

// version cuts a distribution's suffix: v1.30.4-eks-a737599 is v1.30.4.
func version(s string) string {
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || end == 0 && s[end] == 'v') {
		end++
	}
	if _, ok := model.ParseVersion(s[:end]); !ok {
		return ""
	}
	return s[:end]
}

// known keeps a text of Kardia's own, and replaces another.
func known(s, otherwise string) string {
	for word := range strings.FieldsSeq(s) {
		if !words[word] && !ours[word] && version(word) != word {
			return otherwise
		}
	}
	return s
}
