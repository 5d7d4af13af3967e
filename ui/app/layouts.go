package app

import tea "charm.land/bubbletea/v2"

// jamo are the letters of a Korean keyboard (dubeolsik), and their keys.
var jamo = map[rune]string{
	'ㅂ': "q", 'ㅈ': "w", 'ㄷ': "e", 'ㄱ': "r", 'ㅅ': "t", 'ㅛ': "y", 'ㅕ': "u", 'ㅑ': "i", 'ㅐ': "o", 'ㅔ': "p",
	'ㅁ': "a", 'ㄴ': "s", 'ㅇ': "d", 'ㄹ': "f", 'ㅎ': "g", 'ㅗ': "h", 'ㅓ': "j", 'ㅏ': "k", 'ㅣ': "l",
	'ㅋ': "z", 'ㅌ': "x", 'ㅊ': "c", 'ㅍ': "v", 'ㅠ': "b", 'ㅜ': "n", 'ㅡ': "m",
	'ㅃ': "Q", 'ㅉ': "W", 'ㄸ': "E", 'ㄲ': "R", 'ㅆ': "T", 'ㅒ': "O", 'ㅖ': "P",
}

// keyOf is the name of a key in any keyboard layout: the place that the terminal reports, or jamo's key.
func keyOf(msg tea.KeyPressMsg) string {
	name := msg.String()
	letters := []rune(name)
	if len(letters) != 1 || letters[0] < 0x80 {
		return name
	}
	if at, ok := jamo[letters[0]]; ok {
		return at
	}
	if msg.BaseCode > ' ' && msg.BaseCode < 0x7f {
		k := tea.KeyPressMsg{Code: msg.BaseCode, Mod: msg.Mod}
		if msg.Mod&tea.ModShift != 0 && msg.BaseCode >= 'a' && msg.BaseCode <= 'z' {
			return string(msg.BaseCode - 'a' + 'A')
		}
		return k.String()
	}
	return name
}
