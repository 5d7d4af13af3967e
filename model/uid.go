package model

import (
	"encoding/hex"
	"strings"
)

// UID is an object's identity, in 16 bytes if it is a UUID, as all of Kubernetes' own are. The zero value is unknown.
type UID struct {
	uuid  [16]byte
	other *string
}

// ParseUID reads a UID. Other text than a UUID is kept by intern, with one pointer for one text; dropped without it.
func ParseUID(s string, intern func(string) *string) UID {
	var u UID
	if s == "" {
		return u
	}
	if parseUUID(s, &u.uuid) {
		return u
	}
	if intern != nil {
		return UID{other: intern(s)}
	}
	return UID{}
}

// UUID is the UID of these bytes; all zero is unknown.
func UUID(raw [16]byte) UID { return UID{uuid: raw} }

// UUID is the 16 bytes of a UUID; ok is false for other UIDs, and for the unknown one.
func (u UID) UUID() (raw [16]byte, ok bool) { return u.uuid, u.uuid != [16]byte{} }

// parseUUID accepts only the canonical form, in lower case, so that String returns the same text.
func parseUUID(s string, out *[16]byte) bool {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' || strings.ContainsAny(s, "ABCDEF") {
		return false
	}
	_, err := hex.Decode(out[:], []byte(s[:8]+s[9:13]+s[14:18]+s[19:23]+s[24:]))
	return err == nil && *out != [16]byte{}
}

// Known reports whether the UID is known.
func (u UID) Known() bool { return u != UID{} }

// String is the text the UID was read from, or "" if unknown.
func (u UID) String() string {
	if u.other != nil {
		return *u.other
	}
	if u == (UID{}) {
		return ""
	}
	var b [36]byte
	hex.Encode(b[0:8], u.uuid[0:4])
	b[8] = '-'
	hex.Encode(b[9:13], u.uuid[4:6])
	b[13] = '-'
	hex.Encode(b[14:18], u.uuid[6:8])
	b[18] = '-'
	hex.Encode(b[19:23], u.uuid[8:10])
	b[23] = '-'
	hex.Encode(b[24:36], u.uuid[10:16])
	return string(b[:])
}

// GobEncode writes the UID's text: pages of a long History are kept on disk.
func (u UID) GobEncode() ([]byte, error) { return []byte(u.String()), nil }

// GobDecode reads the text of GobEncode.
func (u *UID) GobDecode(text []byte) error {
	*u = ParseUID(string(text), func(s string) *string { return &s })
	return nil
}
