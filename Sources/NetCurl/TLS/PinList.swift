#if os(Linux)
internal import FoundationEssentials
internal import NetCore

/// The public keys that one host may have, as libcurl wants them. A class: routes compare it by identity.
package final class PinList: Sendable {
    /// `sha256//…=;sha256//…=`
    let text: String

    /// Takes the base64 of SHA-256 hashes, with `sha256/` or `sha256//` in front or without.
    init(_ pins: [String], setting: String) throws(NetError) {
        var texts: [String] = []
        for pin in pins {
            var encoded = pin[...]
            for prefix in ["sha256//", "sha256/"] where encoded.hasPrefix(prefix) {
                encoded = encoded.dropFirst(prefix.count)
                break
            }
            guard let hash = Data(base64Encoded: String(encoded)), hash.count == 32 else {
                throw NetError.unusable(
                    setting, "\"\(pin)\" is no pin; a pin is the base64 of a SHA-256, 44 characters with = at the end")
            }
            texts.append("sha256//\(encoded)")
        }
        guard !texts.isEmpty else {
            throw NetError.unusable(setting, "there is no pin; give one or more, or leave it out")
        }
        text = texts.joined(separator: ";")
    }
}
#endif
