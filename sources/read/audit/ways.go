package audit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/object"
)

// maxWays limits the Statements on the path to kubelets: the first are kept.
const maxWays = 20_000

// toKubelets are the subresources for which an API server connects to a kubelet. (The proxy of a pod goes to the pod.)
// Source: kubernetes: pkg/registry/core/{pod,node}/rest, LogREST, ExecREST, AttachREST, PortForwardREST and ProxyREST.
var toKubelets = map[string]map[string]bool{
	"pods":  {"log": true, "exec": true, "attach": true, "portforward": true},
	"nodes": {"proxy": true},
}

func (r *reference) toKubelet() bool { return r.group == "" && toKubelets[r.resource][r.subresource] }

// mayReach reports whether a reading request may be such a one, by the URI before the reference.
func mayReach(uri string) bool {
	return strings.Contains(uri, "/log?") || strings.HasSuffix(uri, `/log"`) || strings.Contains(uri, "/exec") || strings.Contains(uri, "/attach") ||
		strings.Contains(uri, "/portforward") || strings.Contains(uri, "/proxy")
}

// unreached are messages of an API server that could not reach a kubelet; they are not the kubelet's.
var unreached = [...]string{"dial ", "dialing backend", "i/o timeout", "deadline exceeded", "connection refused", "connection reset", "no route to host",
	"no agent available", "error trying to reach service", "tls: ", "x509: ", "no such host", ": eof"}

// acts takes in an act of a controller whose request shows no object, as at level Metadata. Node-lifecycle replaces a
// node's status only to declare it Unknown; the taint eviction controller deletes a pod only for a taint.
func (r *Reader) acts(e *event, ch *model.Change) {
	s := history.Statement{By: model.APIServer, Times: 1, At: ch.Time.Earliest, Until: ch.Time.Earliest, Node: ch.Key.Name}
	switch {
	case ch.Op == model.OpAttempt || ch.Node != nil || ch.Pod != nil:
	case ch.Kind == model.KindNode && ch.Writer == model.WriterNodeLifecycle && e.verb == `"update"` && e.ref.subresource == "status":
		s.What = history.SaidDeclared
	case ch.Kind == model.KindPod && ch.Writer == model.WriterTaintEviction && e.verb == `"delete"`:
		s.What, s.Node, s.Pod = history.SaidDeletingPod, "", ch.Key
	}
	if s.What != history.SaidNothing {
		s.Text = text(e.verb) + " " + text(e.uri) + " by " + ch.Requester.Who()
		r.say(s)
	}
}

// Said is what the log shows of the path from API servers to kubelets, and of acts without their objects. It is in the
// order of the lines.
func (r *Reader) Said() []history.Statement { return r.said }

// reach takes a request for which the API server connected to a kubelet. The kubelet answered, or the request did not
// get through. A request with another failure shows nothing. At level Metadata the answer's status is enough.
func (r *Reader) reach(e *event) {
	code := gjson.Get(e.status, "code").Int()
	message := gjson.Get(e.status, "message").String()
	received, ended := object.Time(gjson.Parse(e.received)), object.Time(gjson.Parse(e.finished))
	s := history.Statement{By: model.APIServer, Times: 1}
	switch {
	case code == 101 || code >= 200 && code < 300: // it lasts for as long as the client reads: this is its start
		s.What, s.At = history.SaidReached, received
	case code == 504 || code >= 500 && says(message, unreached[:]):
		s.What, s.At = history.SaidUnreached, ended
	}
	if s.What == history.SaidNothing || !plausible(s.At) {
		return
	}
	s.Until = s.At
	if e.ref.resource == "nodes" {
		s.Node = r.dec.String(e.ref.name)
	} else {
		s.Pod = model.Key{Namespace: r.dec.String(e.ref.namespace), Name: strings.Clone(e.ref.name)}
	}
	text := e.ref.subresource + " of " + s.Subject() + ": " + strconv.FormatInt(code, 10)
	if s.What == history.SaidUnreached && message != "" {
		text += ", " + message
	}
	const most = 240
	s.Text = strings.ToValidUTF8(text[:min(len(text), most)], "")
	r.say(s)
}

// say keeps a statement, joined with the last one if that is the same.
func (r *Reader) say(s history.Statement) {
	if n := len(r.said); n > 0 && r.said[n-1].What == s.What && r.said[n-1].Subject() == s.Subject() && s.At >= r.said[n-1].Until {
		r.said[n-1].Until, r.said[n-1].Times = s.At, r.said[n-1].Times+1
		return
	}
	if len(r.said) < maxWays {
		s.Origin = model.Origin{Source: r.source}
		r.said = append(r.said, s)
	}
}

func says(message string, words []string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(message, word) || word == ": eof" && strings.HasSuffix(message, "eof")
	})
}
