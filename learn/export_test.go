package learn

// What tests from outside hold to laws.
var (
	CodeHeldOut           = codeHeldOut
	MostPredictedVertices = mostPredictedVertices
)
