extension String {
    /// The text on one line: control characters and line separators are written as escape sequences, so that a value
    /// can't start another log entry.
    package var onOneLine: String {
        guard unicodeScalars.contains(where: Self.breaksLine) else { return self }
        var line = ""
        for scalar in unicodeScalars {
            if Self.breaksLine(scalar) {
                line += scalar.escaped(asASCII: true)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 32 || (127...159).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
