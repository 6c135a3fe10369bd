#if os(Linux)
internal import FoundationEssentials
internal import NetCore

/// The public keys that are accepted from a host, in libcurl's format. A class: routes compare it by identity.
package final class PinList: Sendable {
    /// The pins, as `sha256//…=;sha256//…=`.
    let text: String

    /// Creates a list from base64-encoded SHA-256 hashes, each with or without the prefix `sha256/` or `sha256//`.
    init(_ pins: [String], setting: String) throws(NetError) {
        var texts: [String] = []
        for pin in pins {
            let encoded = TLSConfiguration.hash(ofPin: pin)
            guard let hash = Data(base64Encoded: String(encoded)), hash.count == 32 else {
                throw NetError.unusable(
                    setting, "\"\(pin)\" isn't a pin; a pin is the base64 of a SHA-256, 44 characters with = at the end"
                )
            }
            texts.append("sha256//\(encoded)")
        }
        guard !texts.isEmpty else {
            throw NetError.unusable(setting, "the list of pins is empty; give one or more, or omit it")
        }
        text = texts.joined(separator: ";")
    }
}
#endif
