package baseline

// simpleMethods lists the methods of this file.
func simpleMethods() []Method { return nil }
