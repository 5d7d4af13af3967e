package model

import (
	"math"
	"strconv"
	"strings"
)

// Quantity is an amount of a resource in thousandths of a core or of a byte.
type Quantity int64

var suffixes = map[string]float64{
	"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
}

// ParseQuantity reads 500m, 16331752Ki, 1.5Gi, 1e3, rounded up to a thousandth. ok is false for other text, negative
// and too large values.
// Source: k8s.io/apimachinery: pkg/api/resource, ParseQuantity.
func ParseQuantity(text string) (q Quantity, ok bool) {
	end := len(text)
	for i, c := range []byte(text) {
		if c >= '0' && c <= '9' || c == '.' || i == 0 && c == '+' {
			continue
		}
		end = i
		break
	}
	number, suffix := text[:end], text[end:]
	times, known := suffixes[suffix]
	if exponent, found := strings.CutPrefix(strings.ToLower(suffix), "e"); !known && found {
		n, err := strconv.ParseInt(exponent, 10, 8)
		times, known = math.Pow10(int(n)), err == nil
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || !known {
		return 0, false
	}
	milli := math.Ceil(value * times * 1000)
	if milli >= math.MaxInt64 {
		return 0, false
	}
	return Quantity(milli), true
}

// Plus adds o n times, within 0 and the largest Quantity.
func (q Quantity) Plus(o Quantity, n int) Quantity {
	sum := float64(q) + float64(o)*float64(n)
	switch {
	case sum >= math.MaxInt64:
		return math.MaxInt64
	case sum <= 0:
		return 0
	}
	return q + o*Quantity(n)
}

// Cores is an amount of cores to a tenth, for people.
func (q Quantity) Cores() string {
	return strconv.FormatFloat(math.Round(float64(q)/100)/10, 'f', -1, 64)
}

// Bytes is an amount of bytes to a tenth of Mi or Gi.
func (q Quantity) Bytes() string {
	value, unit := float64(q)/1000/(1<<20), "Mi"
	if value >= 1<<10 {
		value, unit = value/(1<<10), "Gi"
	}
	return strconv.FormatFloat(math.Round(value*10)/10, 'f', -1, 64) + unit
}
