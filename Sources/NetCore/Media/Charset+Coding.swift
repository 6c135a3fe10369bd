extension Charset {
    /// Returns the text of the bytes, without a byte order mark; nil if they aren't valid in this charset.
    public func decode(_ bytes: Bytes) -> String? {
        switch kind {
        case .utf8:
            let mark: [UInt8] = [0xef, 0xbb, 0xbf]
            return String(validating: bytes.starts(with: mark) ? bytes[3..<bytes.count] : bytes, as: UTF8.self)
        case .ascii:
            return bytes.allSatisfy { $0 < 128 } ? String(decoding: bytes, as: UTF8.self) : nil
        case .latin1:
            return text(bytes.lazy.map { Unicode.Scalar($0) })
        case .windows1252:
            return text(bytes.lazy.map { $0 >= 0x80 && $0 < 0xa0 ? Self.windows[Int($0 - 0x80)] : Unicode.Scalar($0) })
        case .wide(let width, let isBigEndian):
            return decodeWide(bytes, width: width, isBigEndian: isBigEndian)
        }
    }

    /// Returns the bytes of a text; nil if this charset lacks one of its characters.
    public func encode(_ text: String) -> Bytes? {
        switch kind {
        case .utf8: return Bytes(text.utf8)
        case .ascii: return text.utf8.allSatisfy { $0 < 128 } ? Bytes(text.utf8) : nil
        case .latin1: return narrow(text) { $0.value < 256 ? UInt8($0.value) : nil }
        case .windows1252:
            return narrow(text) { scalar in
                if let place = Self.windows.firstIndex(of: scalar) { return UInt8(0x80 + place) }
                return scalar.value < 0x80 || scalar.value > 0x9f && scalar.value < 256 ? UInt8(scalar.value) : nil
            }
        case .wide(let width, let isBigEndian):
            let units = width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map(\.value)
            let marked = isBigEndian == nil ? [0xfeff] + units : units
            return Bytes(
                marked.flatMap { unit in
                    let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
                    return isBigEndian == false ? bytes : bytes.reversed()
                })
        }
    }

    private func narrow(_ text: String, _ byte: (Unicode.Scalar) -> UInt8?) -> Bytes? {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let byte = byte(scalar) else { return nil }
            output.append(byte)
        }
        return Bytes(output)
    }

    private func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private func decodeWide(_ bytes: Bytes, width: Int, isBigEndian: Bool?) -> String? {
        guard bytes.count % width == 0 else { return nil }
        var units = (0..<bytes.count / width).map { place in
            (0..<width).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[place * width + $1]) }
        }
        func swapped(_ unit: UInt32) -> UInt32 { unit.byteSwapped >> UInt32(32 - 8 * width) }
        // If the name doesn't determine the byte order, a byte order mark in the other order does.
        let isLittle: Bool = isBigEndian.map { !$0 } ?? (units.first.map { swapped($0) == 0xfeff } ?? false)
        if isLittle { units = units.map(swapped) }
        if units.first == 0xfeff { units.removeFirst() }
        if width == 2 { return String(validating: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self) }
        var scalars = String.UnicodeScalarView()
        for unit in units {
            guard let scalar = Unicode.Scalar(unit) else { return nil }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// The characters of 0x80 to 0x9F; the five bytes that Windows leaves undefined are as in the WHATWG Encoding
    /// standard.
    private static let windows: [Unicode.Scalar] = [
        "\u{20ac}", "\u{81}", "\u{201a}", "\u{192}", "\u{201e}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2c6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8d}", "\u{17d}", "\u{8f}", "\u{90}", "\u{2018}", "\u{2019}",
        "\u{201c}", "\u{201d}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2dc}", "\u{2122}", "\u{161}", "\u{203a}",
        "\u{153}", "\u{9d}", "\u{17e}", "\u{178}",
    ]
}
