package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    private static let sorted = JSONCoding(
        makeEncoder: {
            let encoder = JSONCoding.standard.makeEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return encoder
        }, makeDecoder: JSONCoding.standard.makeDecoder)

    /// The value as JSON; equal values always have equal bytes.
    package var sortedBytes: Bytes { (try? Self.sorted.encode(self)) ?? Bytes("null".utf8) }
}
