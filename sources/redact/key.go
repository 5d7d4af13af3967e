package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Key is the secret for pseudonyms. Its owner can find the name behind a pseudonym by trying; without it that is
// impossible. The same key gives the same pseudonyms.
type Key [32]byte

// NewKey is a random key. If it is not kept, the pseudonyms are of this one file.
func NewKey() Key {
	var k Key
	_, _ = rand.Read(k[:]) // never fails: crypto/rand ends the program instead
	return k
}

// KeyFile reads the key in a file, or writes a new one, for its owner only.
func KeyFile(path string) (k Key, made bool, err error) {
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		raw, bad := hex.DecodeString(strings.TrimSpace(string(text)))
		if bad != nil || len(raw) != len(k) {
			return k, false, fmt.Errorf("%s holds no key: expected 64 hexadecimal digits; name a file that does not exist yet to make a new one", path)
		}
		return Key(raw), false, nil
	case !errors.Is(err, fs.ErrNotExist):
		return k, false, err
	}
	k = NewKey()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return k, false, err
	}
	if _, err = fmt.Fprintln(f, hex.EncodeToString(k[:])); err != nil {
		_ = f.Close()
		return k, false, err
	}
	return k, true, f.Close()
}

// mac is HMAC-SHA-256 of a text, separate for each use.
func (k *Key) mac(use, text string) []byte {
	h := hmac.New(sha256.New, k[:])
	h.Write([]byte(use))
	h.Write([]byte{0})
	h.Write([]byte(text))
	return h.Sum(nil)
}

var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// pseudonym is an x and sixty bits of a name's MAC. Half a million names have two alike once in ten million keys.
func (k *Key) pseudonym(name string) string {
	return "x" + letters.EncodeToString(k.mac("name", name))[:12]
}

// shift is how far times move back: 5 to 15 years, in whole seconds, because timestamps are cut to the second.
func (k *Key) shift() int64 {
	const year = 365 * 24 * 3600
	seconds := 5*year + int64(binary.BigEndian.Uint64(k.mac("time", ""))%(10*year))
	return seconds * 1e9
}
