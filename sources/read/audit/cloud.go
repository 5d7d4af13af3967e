package audit

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"kardia/sources/read/object"
)

// logged is an audit event as the API server writes it, built from an entry of Google Cloud Logging.
type logged struct {
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	AuditID    string          `json:"auditID"`
	Stage      string          `json:"stage"`
	Verb       string          `json:"verb"`
	RequestURI string          `json:"requestURI"`
	User       loggedUser      `json:"user"`
	UserAgent  string          `json:"userAgent,omitempty"`
	SourceIPs  []string        `json:"sourceIPs,omitempty"`
	ObjectRef  loggedReference `json:"objectRef"`
	Status     loggedStatus    `json:"responseStatus"`
	Request    json.RawMessage `json:"requestObject,omitempty"`
	Response   json.RawMessage `json:"responseObject,omitempty"`
	Received   time.Time       `json:"requestReceivedTimestamp"`
	Finished   time.Time       `json:"stageTimestamp"`
}

type loggedUser struct {
	Username string `json:"username"`
}

type loggedStatus struct {
	Code    int    `json:"code"`
	Message string `json:"message,omitempty"`
}

type loggedReference struct {
	Resource    string `json:"resource"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	APIGroup    string `json:"apiGroup,omitempty"`
	APIVersion  string `json:"apiVersion"`
	Subresource string `json:"subresource,omitempty"`
}

var errCloud = errors.New("expected an audit entry of Kubernetes (methodName io.k8s.…, resourceName and a timestamp), found another of Google Cloud Logging; the line is not used")

// longest is how long a request may take; the API server ends what takes longer.
const longest = time.Minute

// fromCloud makes an audit event of a LogEntry of Google Cloud Logging, which holds the same under
// other names. Its timestamp is when the request was received; that it had ended is known when the
// entry reached the log (receiveTimestamp).
func fromCloud(entry string) (string, error) {
	payload := gjson.Get(entry, "protoPayload")
	ref, ok := cloudReference(payload.Get("resourceName").String())
	method := payload.Get("methodName").String()
	received := object.Time(gjson.Get(entry, "timestamp"))
	if !ok || !strings.HasPrefix(method, "io.k8s.") || !plausible(received) {
		return "", errCloud
	}
	finished := received.Add(longest)
	if arrived := object.Time(gjson.Get(entry, "receiveTimestamp")); plausible(arrived) {
		finished = min(finished, max(arrived, received))
	}
	e := logged{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", AuditID: gjson.Get(entry, "insertId").String(), Stage: "ResponseComplete",
		Verb: method[strings.LastIndexByte(method, '.')+1:], ObjectRef: ref,
		User:      loggedUser{payload.Get("authenticationInfo.principalEmail").String()},
		UserAgent: payload.Get("requestMetadata.callerSuppliedUserAgent").String(),
		Status:    loggedStatus{httpStatus(int(payload.Get("status.code").Int())), payload.Get("status.message").String()},
		Request:   objectOf(payload.Get("request")), Response: objectOf(payload.Get("response")),
		Received: received.Time(), Finished: finished.Time(),
	}
	if ip := payload.Get("requestMetadata.callerIp").String(); ip != "" {
		e.SourceIPs = []string{ip}
	}
	e.RequestURI = "/apis/" + payload.Get("resourceName").String()
	if ref.APIGroup == "" {
		e.RequestURI = "/api/" + strings.TrimPrefix(payload.Get("resourceName").String(), "core/")
	}
	event, err := json.Marshal(e)
	return string(event), err
}

func objectOf(raw gjson.Result) json.RawMessage {
	if !raw.IsObject() {
		return nil
	}
	return json.RawMessage(raw.Raw)
}

// cloudReference reads "core/v1/namespaces/NS/pods/NAME/status".
func cloudReference(path string) (ref loggedReference, ok bool) {
	parts := strings.Split(path, "/")
	if len(parts) < 3 {
		return ref, false
	}
	if ref.APIVersion = parts[1]; parts[0] != "core" {
		ref.APIGroup = parts[0]
	}
	parts = parts[2:]
	if len(parts) > 2 && parts[0] == "namespaces" {
		ref.Namespace, parts = parts[1], parts[2:]
	}
	ref.Resource = parts[0]
	if len(parts) > 1 {
		ref.Name = parts[1]
	}
	if len(parts) > 2 {
		ref.Subresource = parts[2]
	}
	return ref, ref.Resource != ""
}

// httpStatus is the API server's status for a code of Google's.
// Source: googleapis: google/rpc/code.proto.
func httpStatus(code int) int {
	answers := [...]int{200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401}
	if code < 0 || code >= len(answers) {
		return 500
	}
	return answers[code]
}
