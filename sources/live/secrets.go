package live

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	hidden = "[hidden]"
	// leastSecret is the shortest secret that is hidden: a shorter one occurs in many words.
	leastSecret = 6
	// maxSecrets is how many secrets are kept: tokens are renewed.
	maxSecrets = 16
)

// secrets are the credentials that this process sent, which an API server, a proxy or a plugin may repeat.
type secrets struct {
	mu    sync.Mutex
	known []string
}

var sent secrets

func (s *secrets) note(authorization string) {
	scheme, secret, _ := strings.Cut(authorization, " ")
	if len(secret) < leastSecret {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.known, secret) {
		return
	}
	s.known = append(s.known, secret)
	if plain, err := base64.StdEncoding.DecodeString(secret); err == nil && strings.EqualFold(scheme, "Basic") {
		if _, password, _ := strings.Cut(string(plain), ":"); len(password) >= leastSecret {
			s.known = append(s.known, password)
		}
	}
	s.known = s.known[max(0, len(s.known)-maxSecrets):]
}

// tokens matches tokens that were never sent from here.
var tokens = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9_.-]*|(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}=*`)

func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.known {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return tokens.ReplaceAllString(text, hidden)
}
