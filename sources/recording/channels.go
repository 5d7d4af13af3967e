package recording

import (
	"kardia/model"
	"kardia/sources/recording/container"
)

var channels = [...]container.Channel{
	{ID: channelDictionary, Topic: "/dictionary", Encoding: container.EncodingTyped, Schema: "kardia.Dictionary", Description: "What the heartbeats of an object have in common; typed, see docs/recording.md."},
	{ID: channelPage, Topic: "/page", Encoding: container.EncodingTyped, Schema: "kardia.Page", Description: "Begins a page of Changes; typed, see docs/recording.md."},
	{ID: channelLease, Topic: "/lease", Encoding: container.EncodingTyped, Schema: "kardia.Block", Description: "Renewals of node leases in columns; typed, see docs/recording.md."},
	{ID: channelHeartbeat, Topic: "/node/heartbeat", Encoding: container.EncodingTyped, Schema: "kardia.Block", Description: "Node versions in which only the time of the status heartbeat changed, in columns; typed, see docs/recording.md."},
	{ID: channelKeyframe, Topic: "/keyframe", Encoding: container.EncodingTyped, Schema: "kardia.Keyframe", Description: "The state at a position; typed, see docs/recording.md."},
	{ID: channelNode, Topic: "/node", Encoding: container.EncodingJSON, Schema: "kardia.Change", Description: changeSchema},
	{ID: channelPod, Topic: "/pod", Encoding: container.EncodingJSON, Schema: "kardia.Change", Description: changeSchema},
	{ID: channelEvent, Topic: "/event", Encoding: container.EncodingJSON, Schema: "kardia.Change", Description: changeSchema},
	{ID: channelLeader, Topic: "/leader", Encoding: container.EncodingJSON, Schema: "kardia.Change", Description: changeSchema},
	{ID: channelChange, Topic: "/change", Encoding: container.EncodingJSON, Schema: "kardia.Change", Description: changeSchema},
	{ID: channelSession, Topic: "/session", Encoding: container.EncodingJSON, Schema: "kardia.Session", Description: sessionSchema},
	{ID: channelMark, Topic: "/mark", Encoding: container.EncodingJSON, Schema: "kardia.Mark", Description: markSchema},
	{ID: channelConfig, Topic: "/config", Encoding: container.EncodingJSON, Schema: "kardia.Meta", Description: metaSchema},
	{ID: channelLayer, Topic: "/keyframe/layer", Encoding: container.EncodingTyped, Schema: "kardia.Layer", Description: "What changes seldom in the state at a position; typed, see docs/recording.md."},
	{ID: channelClock, Topic: "/clock", Encoding: container.EncodingJSON, Schema: "kardia.Clock", Description: clockSchema},
	{ID: channelStatement, Topic: "/statement", Encoding: container.EncodingJSON, Schema: "kardia.Statement", Description: statementSchema},
}

const changeSchema = `{"title":"kardia.Change","description":"One object version, or one refused write. Fields that are empty are left out; a time that is left out is the log_time of the message, and null where it is not known.","type":"object",
"properties":{"kind":{"type":"string","enum":["Node","Lease","Pod","Event","LeaderLease","VolumeAttachment","PersistentVolume","PodDisruptionBudget","EndpointSlice","NodeClaim","NodeHealthCheck","AutoscalerStatus","APIServerLease","Eviction"]},
"op":{"type":"string","enum":["baseline","add","modify","delete","attempt","repeat","patch","gap"],"description":"left out: baseline"},
"namespace":{"type":"string"},"name":{"type":"string"},"uid":{"type":"string"},
"version":{"type":"integer","description":"resourceVersion"},"previous":{"type":"integer","description":"the resourceVersion it replaced"},
"quality":{"type":"string","enum":["server","stamp","neighbours","order"],"description":"how good the time is; left out: arrival, by the recorder's own clock"},
"writer":{"type":"string"},"requester":{"type":"object","description":"who sent the request, by an audit log: user, agent, address"},"code":{"type":"integer","description":"HTTP status"},
"at":{"type":["string","null"],"description":"when it takes effect"},"arrival":{"type":["string","null"]},
"earliest":{"type":["string","null"],"description":"written at or after; past: unbounded"},"latest":{"type":["string","null"],"description":"written at or before; future: unbounded"},
"note":{"type":"string"},"source":{"type":"integer"},"line":{"type":"integer"},"offset":{"type":"integer"},"also":{"type":"object"},
"node":{"type":"object"},"pod":{"type":"object"},"event":{"type":"object"},"lease":{"type":"object"},"related":{"type":"object"},"patch":{"type":"string"},
"then":{"type":"array","items":{"type":"object"},"description":"later versions of the same object, each as the difference from the one before: an absent key is unchanged, null is now empty; after: seconds later"}}}`

const sessionSchema = `{"title":"kardia.Session","description":"A time of which a source knows nothing.","type":"object",
"properties":{"from":{"type":"string"},"to":{"type":"string"},"source":{"type":"integer"},"why":{"type":"string"},"between":{"type":"boolean"},"unlisted":{"type":"boolean"},"possible":{"type":"boolean"}}}`

const markSchema = `{"title":"kardia.Mark","description":"A person's note at a time.","type":"object",
"properties":{"at":{"type":"string"},"note":{"type":"string"}}}`

const metaSchema = `{"title":"kardia.Meta","description":"What the recording says of itself, at the beginning and whenever it changes.","type":"object"}`

const clockSchema = `{"title":"kardia.Clock","description":"A look at the recorder's clocks; see docs/recording.md.","type":"object",
"properties":{"at":{"type":"string"},"wall":{"type":"string"},"sinceNanos":{"type":"integer"},"setNanos":{"type":"integer"},"sleptNanos":{"type":"integer"},
"from":{"type":"string"},"to":{"type":"string"},"serverLeastNanos":{"type":"integer"},"serverMostNanos":{"type":"integer"}}}`

const statementSchema = `{"title":"kardia.Statement","description":"What a component said in its own log, by its own clock; see docs/recording.md.","type":"object",
"properties":{"at":{"type":"string"},"until":{"type":"string","description":"time of the last statement"},"times":{"type":"integer","description":"left out: once"},
"says":{"type":"string"},"by":{"type":"string"},"process":{"type":"integer"},"node":{"type":"string"},"podNamespace":{"type":"string"},"pod":{"type":"string"},
"zoned":{"type":"boolean","description":"it is about a zone; region and zone that are left out are empty"},"region":{"type":"string"},"zone":{"type":"string"},"state":{"type":"string"},
"silentNanos":{"type":"integer"},"text":{"type":"string"},"source":{"type":"integer"},"line":{"type":"integer"},"offset":{"type":"integer"}}}`

// Channels have these numbers in every file of this format.
const (
	channelDictionary uint16 = iota + 1
	channelPage
	channelLease
	channelHeartbeat
	channelKeyframe
	channelNode
	channelPod
	channelEvent
	channelLeader
	channelChange
	channelSession
	channelMark
	channelConfig
	channelLayer
	channelClock
	channelStatement
	channelEnd
)

func rowChannel(k model.Kind) uint16 {
	switch k {
	case model.KindNode:
		return channelNode
	case model.KindPod:
		return channelPod
	case model.KindEvent:
		return channelEvent
	case model.KindLeaderLease:
		return channelLeader
	}
	return channelChange
}
