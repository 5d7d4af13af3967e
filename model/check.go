package model

import (
	"strconv"
	"time"
)

// Check is one comparison a controller made, with both operands.
type Check struct {
	// The field Of is the type of the compared condition or the key of the taint, if any.
	What        Compared
	Of          string
	Left, Right Operand
	Op          Comparison
	Holds       bool
}

// Compared is the quantity that a Check compares.
type Compared uint8

const (
	NothingCompared Compared = iota
	ComparedCondition
	ComparedCordon
	ComparedSilence
	ComparedSilenceAtLeast
	ComparedReadyNodes
	ComparedNotReady
	ComparedShare
	ComparedZoneSize
	ComparedRate
	ComparedZoneRate
	ComparedReadyZones
	ComparedCountedZones
	ComparedTokenSince
	ComparedTokenBy
	ComparedNextToken
	ComparedWaiting
	ComparedMatching
	ComparedToleration
	ComparedDeletions
	ComparedCountdown
	ComparedCountdownLatest
	ComparedCountdowns
	ComparedNoExecute
	ComparedIntolerable
	ComparedEnded
	ComparedQuarantine
	comparedCount
)

// String is the code in a file of sentences; "" for nothing.
func (c Compared) String() string {
	return [...]string{"", "condition", "cordon", "silence", "silence-at-least", "ready-nodes", "not-ready", "share", "zone-size",
		"rate", "zone-rate", "ready-zones", "counted-zones", "token-since", "token-by", "next-token", "waiting", "matching",
		"toleration", "deletions", "countdown", "countdown-latest", "countdowns", "no-execute", "intolerable", "ended",
		"quarantine"}[min(c, comparedCount-1)]
}

// Sides are both operands as text: durations and times to a millisecond, and exactly if rounding would hide the result.
func (c *Check) Sides() (left, right string) {
	left, right = c.Left.String(), c.Right.String()
	if left == right && c.Hidden() {
		return c.Left.exactly(), c.Right.exactly()
	}
	return left, right
}

// Hidden reports whether equal text for both operands would not explain the result.
func (c *Check) Hidden() bool {
	return c.Left != c.Right && c.Holds != (c.Op == Equals || c.Op == AtLeast || c.Op == AtMost)
}

// Comparison is the operator of a Check.
type Comparison uint8

const (
	Equals Comparison = iota
	Differs
	Greater
	AtLeast
	Less
	AtMost
)

func (c Comparison) String() string {
	return [...]string{"=", "≠", ">", "≥", "<", "≤"}[min(c, AtMost)]
}

// OperandKind is the unit of an Operand.
type OperandKind uint8

const (
	OperandText OperandKind = iota
	OperandDuration
	OperandInstant
	OperandCount
	OperandNumber
)

// Operand is one side of a Check. Kind decides the field: Text, Int (nanoseconds, an Instant, a count) or Float.
type Operand struct {
	Kind  OperandKind
	Text  string
	Int   int64
	Float float64
}

func Text(s string) Operand { return Operand{Kind: OperandText, Text: s} }

// DurationOperand is an operand with a duration.
func DurationOperand(d time.Duration) Operand { return Operand{Kind: OperandDuration, Int: int64(d)} }

// InstantOperand is an operand with a time.
func InstantOperand(i Instant) Operand { return Operand{Kind: OperandInstant, Int: int64(i)} }

// Count is an operand with a count.
func Count[T ~int | ~int32](n T) Operand { return Operand{Kind: OperandCount, Int: int64(n)} }

// Number is an operand with a share or a rate. The controllers' flags are float32, and they widen them to compare.
func Number(f float32) Operand { return Operand{Kind: OperandNumber, Float: float64(f)} }

// String prints the operand in its unit: "31.2s", "0.55", "11"; durations and times to a millisecond.
func (o Operand) String() string {
	switch o.Kind {
	case OperandDuration:
		return time.Duration(o.Int).Round(time.Millisecond).String()
	case OperandInstant:
		return Instant(o.Int).Truncate(time.Millisecond).String()
	}
	return o.exactly()
}

func (o Operand) exactly() string {
	switch o.Kind {
	case OperandDuration:
		return time.Duration(o.Int).String()
	case OperandInstant:
		return Instant(o.Int).String()
	case OperandCount:
		return strconv.FormatInt(o.Int, 10)
	case OperandNumber:
		return strconv.FormatFloat(o.Float, 'g', -1, 32)
	}
	return o.Text
}
