package baseline

// spectralMethods lists the methods of this file.
func spectralMethods() []Method { return nil }
