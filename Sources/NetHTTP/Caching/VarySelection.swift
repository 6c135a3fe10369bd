internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// The request headers that a response was selected by, with their values (RFC 9111 section 4.1).
///
/// Values are compared in a normal form: lists without blanks, negotiation headers sorted by weight. Credentials are
/// kept as a hash, together with the identity that the request was sent with, since middleware further inside may add
/// them to the request.
struct VarySelection: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        /// Lower-cased.
        let name: String
        /// Nil if the request had none.
        let value: String?
    }

    private(set) var headers: [Field]

    init(headers: [Field]) { self.headers = headers }

    /// The headers that a response depends on; nil if it depends on more than the request: `*`.
    init?(vary: [String], request: HTTPFields, identity: CallIdentity = .everyone) {
        guard !vary.contains("*") else { return nil }
        headers = Set(vary).sorted().map { Field(name: $0, value: Self.value($0, request, identity)) }
    }

    /// The names in `Vary`, lower-cased; only `*` if it occurs anywhere.
    static func names(_ headers: HTTPFields) -> [String] {
        guard let text = headers[.vary] else { return [] }
        let names = text.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        if names.contains("*") { return ["*"] }
        return names.filter(FieldValueReader.isToken)
    }

    /// True if a request would have selected the same response.
    ///
    /// - Parameter language: The `Content-Language` of the response: a request that prefers this language would get
    ///   it.
    func matches(_ request: HTTPFields, language: String?, identity: CallIdentity = .everyone) -> Bool {
        headers.allSatisfy { field in
            let value = Self.value(field.name, request, identity)
            if value == field.value { return true }
            guard field.name == "accept-language", value != nil, let language else { return false }
            return Self.favourite(request) == language.lowercased()
        }
    }

    /// The language that a request prefers; nil if it prefers several equally.
    private static func favourite(_ request: HTTPFields) -> String? {
        let languages = request.acceptedLanguages
        guard let best = languages.map(\.quality).max(), best > 0 else { return nil }
        let favourites = languages.filter { $0.quality == best }
        return favourites.count == 1 && favourites[0].value != "*" ? favourites[0].value.lowercased() : nil
    }

    private static func value(_ name: String, _ request: HTTPFields, _ identity: CallIdentity) -> String? {
        guard let field = HTTPField.Name(name) else { return nil }
        let isCredential = RedactionPolicy.safeDefault.isSensitive(field)
        guard let text = request[field] else {
            return isCredential && identity != .everyone ? "identity:" + identity.digest : nil
        }
        switch name {
        case "accept": return sorted(request.accepted)
        case "accept-encoding": return sorted(request.acceptedEncodings)
        case "accept-language": return sorted(request.acceptedLanguages)
        case _ where isCredential:
            let hash = "sha-256:" + (RunningHash.digest(of: Bytes(text.utf8), .sha256)?.hexadecimal ?? "")
            return identity == .everyone ? hash : hash + ", identity:" + identity.digest
        default: return withoutBlanks(text)
        }
    }

    private static func sorted(_ list: [Weighted]) -> String {
        let lowered = list.map { Weighted($0.value.lowercased(), quality: $0.quality) }
        return lowered.sorted { ($1.quality, $0.value) < ($0.quality, $1.value) }.map(\.description)
            .joined(separator: ",")
    }

    /// Removes the blanks around the commas of a list; blanks in quotes stay.
    static func withoutBlanks(_ text: String) -> String {
        var output: [UInt8] = []
        var (isQuoted, isEscaped) = (false, false)
        var blanks: [UInt8] = []
        for byte in text.utf8 {
            if !isQuoted, byte == 32 || byte == 9 {
                blanks.append(byte)
                continue
            }
            if byte != UInt8(ascii: ","), let last = output.last, last != UInt8(ascii: ",") || isQuoted {
                output += blanks
            }
            blanks = []
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            output.append(byte)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
