package themes

// palette is the colours of a theme before they have a meaning: three weights of
// text, one accent, one ramp, and the few hues that stay apart for every kind of
// colour vision (blue-grey, vermilion, yellow-brown, violet, red).
type palette struct {
	text, dim, faint, rule uint32
	accent, onAccent       uint32
	selected               uint32
	ramp                   [5]uint32
	slate, vermilion       uint32
	brown, red, violet     uint32
	teal, amber            uint32
	live, replay, onBadge  uint32
}

// build gives a palette's colours their meanings.
func build(name string, light bool, p palette) Theme {
	t := Theme{Name: name, Light: light}
	fg := func(k Token, rgb uint32) { t.Styles[k].Fg = hex(rgb) }
	fg(Text, p.text)
	fg(Dim, p.dim)
	fg(Faint, p.faint)
	fg(Rule, p.rule)
	fg(Accent, p.accent)
	t.Styles[Accent].Bold = true
	t.Styles[AccentOn] = Style{Fg: hex(p.onAccent), Bg: hex(p.accent), Bold: true}
	t.Styles[Select] = Style{Fg: hex(p.text), Bg: hex(p.selected)}
	for i, rgb := range p.ramp {
		fg(Age0+Token(i), rgb)
	}
	fg(Unknown, p.slate)
	fg(NotReady, p.vermilion)
	fg(Cordoned, p.brown)
	fg(Evict, p.red)
	t.Styles[Evict].Bold = true
	fg(Halted, p.amber)
	fg(Predicted, p.violet)
	fg(Good, p.teal)
	fg(Warn, p.amber)
	fg(Bad, p.red)
	t.Styles[Bad].Bold = true
	fg(Gap, p.violet)
	t.Styles[Live] = Style{Fg: hex(p.onBadge), Bg: hex(p.live), Bold: true}
	t.Styles[Replay] = Style{Fg: hex(p.onBadge), Bg: hex(p.replay), Bold: true}
	return t
}

// Dark is the default on a dark background; it is safe for colour-blind eyes.
func Dark() Theme {
	return build("dark", false, palette{
		text: 0xdfe3ea, dim: 0xa3a9b5, faint: 0x8b8d91, rule: 0x3a404c,
		accent: 0x7cc7ff, onAccent: 0x0b1420, selected: 0x303338,
		ramp:  [5]uint32{0x8e9094, 0xaba48a, 0xc7a765, 0xefb544, 0xffd07a},
		slate: 0x86a8e8, vermilion: 0xfb7d4c, brown: 0xe0cf7e, red: 0xff6b70, violet: 0xc4a5f5,
		teal: 0x74c7b0, amber: 0xf2b33d,
		live: 0x74c7b0, replay: 0xc4a5f5, onBadge: 0x10131a,
	})
}

// Light is the default on a light background; it is safe for colour-blind eyes.
func Light() Theme {
	return build("light", true, palette{
		text: 0x1d222b, dim: 0x4d5563, faint: 0x686a6e, rule: 0xc3c8d1,
		accent: 0x0b5cad, onAccent: 0xffffff, selected: 0xdce8f7,
		ramp:  [5]uint32{0x6d6e71, 0x6e6551, 0x7d5d15, 0x824c00, 0x612f00},
		slate: 0x3a5fb8, vermilion: 0x8b2303, brown: 0x7f612b, red: 0x96001c, violet: 0x6b3fb0,
		teal: 0x0f6b58, amber: 0x8a5200,
		live: 0x0f6b58, replay: 0x6b3fb0, onBadge: 0xffffff,
	})
}

// HighContrastDark trades calm for contrast on a dark background.
func HighContrastDark() Theme {
	return build("high-contrast-dark", false, palette{
		text: 0xffffff, dim: 0xd5d9e0, faint: 0xb8babe, rule: 0x7a808c,
		accent: 0x8fd3ff, onAccent: 0x000000, selected: 0x363a42,
		ramp:  [5]uint32{0xb0b4bb, 0xbdb49c, 0xdcbd75, 0xffc84d, 0xffe29a},
		slate: 0xa5c2ff, vermilion: 0xff8f66, brown: 0xf0e18a, red: 0xff8085, violet: 0xd9c2ff,
		teal: 0x8ff0d4, amber: 0xffc02e,
		live: 0x8ff0d4, replay: 0xd9c2ff, onBadge: 0x000000,
	})
}

// HighContrastLight trades calm for contrast on a light background.
func HighContrastLight() Theme {
	return build("high-contrast-light", true, palette{
		text: 0x000000, dim: 0x303133, faint: 0x434a56, rule: 0x7a808c,
		accent: 0x003e80, onAccent: 0xffffff, selected: 0xe2eefc,
		ramp:  [5]uint32{0x565a61, 0x5c5540, 0x5c4400, 0x663000, 0x401c00},
		slate: 0x16389a, vermilion: 0x861f00, brown: 0x7a5c26, red: 0x82000f, violet: 0x4c1f94,
		teal: 0x004d3c, amber: 0x6b3d00,
		live: 0x004d3c, replay: 0x4c1f94, onBadge: 0xffffff,
	})
}

// NoColour uses bold, faint and reverse only, for NO_COLOR and terminals without
// colour. Glyphs and words carry every state.
func NoColour() Theme {
	t := Theme{Name: "no-colour"}
	for _, k := range []Token{Faint, Rule, Age0} {
		t.Styles[k].Faint = true
	}
	for _, k := range []Token{Accent, Age3, Age4, NotReady, Evict, Halted, Warn, Bad} {
		t.Styles[k].Bold = true
	}
	for _, k := range []Token{AccentOn, Select, Live, Replay} {
		t.Styles[k].Reverse = true
	}
	return t
}
