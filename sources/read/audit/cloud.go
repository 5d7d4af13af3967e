package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/sources/read/object"
)

var errCloud = errors.New("expected an audit entry of Kubernetes (methodName io.k8s.…, resourceName and a timestamp), found another of Google Cloud Logging; the line is not used")

// longest is how long a request may take before the API server ends it.
const longest = time.Minute

// fromCloud makes an audit event from a LogEntry of Google Cloud Logging. Its timestamp is when the request was
// received; its end is known by when the entry reached the log (receiveTimestamp).
func fromCloud(entry string) (*event, error) {
	payload := gjson.Get(entry, "protoPayload")
	path := payload.Get("resourceName").String()
	ref, ok := cloudReference(path)
	method := payload.Get("methodName").String()
	received := object.Time(gjson.Get(entry, "timestamp"))
	if !ok || !strings.HasPrefix(method, "io.k8s.") || !plausible(received) {
		return nil, errCloud
	}
	finished := received.Add(longest)
	if arrived := object.Time(gjson.Get(entry, "receiveTimestamp")); plausible(arrived) {
		finished = min(finished, max(arrived, received))
	}
	root := "/apis/"
	if ref.group == "" {
		root, path = "/api/", strings.TrimPrefix(path, "core/")
	}
	e := &event{apiVersion: `"audit.k8s.io/v1"`, stage: `"ResponseComplete"`, ref: ref}
	e.set("auditID", cmp.Or(gjson.Get(entry, "insertId").Raw, `""`))
	e.set("verb", quoted(method[strings.LastIndexByte(method, '.')+1:]))
	e.set("requestURI", quoted(root+path))
	e.set("user", `{"username":`+quoted(payload.Get("authenticationInfo.principalEmail").String())+"}")
	e.set("userAgent", payload.Get("requestMetadata.callerSuppliedUserAgent").Raw)
	e.set("sourceIPs", "["+payload.Get("requestMetadata.callerIp").Raw+"]")
	e.set("responseStatus", fmt.Sprintf(`{"code":%d,"message":%s}`, httpStatus(int(payload.Get("status.code").Int())), quoted(payload.Get("status.message").String())))
	e.setTimes(received, finished)
	for member, body := range map[string]gjson.Result{"requestObject": payload.Get("request"), "responseObject": payload.Get("response")} {
		if body.IsObject() {
			e.set(member, body.Raw)
		}
	}
	return e, nil
}

func quoted(text string) string {
	raw, _ := json.Marshal(text) // a string always can be
	return string(raw)
}

// cloudReference reads "core/v1/namespaces/NS/pods/NAME/status".
func cloudReference(path string) (ref reference, ok bool) {
	parts := strings.Split(path, "/")
	if len(parts) < 3 {
		return ref, false
	}
	if parts[0] != "core" {
		ref.group = parts[0]
	}
	parts = parts[2:]
	if len(parts) > 2 && parts[0] == "namespaces" {
		ref.namespace, parts = parts[1], parts[2:]
	}
	for i, part := range [...]*string{&ref.resource, &ref.name, &ref.subresource} {
		if i < len(parts) {
			*part = parts[i]
		}
	}
	ref.known = ref.resource != ""
	return ref, ref.known
}

// httpStatus is the API server's status for Google's code.
// Source: googleapis: google/rpc/code.proto.
func httpStatus(code int) int {
	answers := [...]int{200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401}
	if code < 0 || code >= len(answers) {
		return 500
	}
	return answers[code]
}
