extension RedactionPolicy {
    /// A rule for the segments of a URL path to hide: password reset links, invitations and webhooks carry secrets
    /// there.
    ///
    ///     var policy = RedactionPolicy.safeDefault
    ///     policy.pathRules = [.after("reset"), .template("/invites/{code}/accept"), .credentials]
    ///     print(policy.redact(url: "https://h/reset/abc?page=2"))  // https://h/reset/<redacted>?page=2
    public struct PathRule: Sendable, Hashable {
        private enum Kind: Sendable, Hashable {
            case after(String)
            case template([String])
            case credentials
        }

        private let kind: Kind

        /// Hides the segment after each segment with this name. The comparison ignores case.
        public static func after(_ name: String) -> PathRule { PathRule(kind: .after(name.lowercased())) }

        /// Hides the segments in place of each `{…}` of a template; `{…*}` at its end matches all remaining segments.
        /// The whole path must match the template; other segments are compared decoded.
        public static func template(_ text: String) -> PathRule {
            let text = text.hasPrefix("/") ? text.dropFirst() : text[...]
            return PathRule(
                kind: .template(text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)))
        }

        /// Hides segments that look like credentials: a JSON Web Token (RFC 7519), or at least 32 mixed letters and
        /// digits. A UUID (RFC 9562) counts as an identifier and is shown.
        public static let credentials = PathRule(kind: .credentials)

        /// Returns the indices of the decoded segments to hide.
        fileprivate func hidden(in segments: [String]) -> [Int] {
            switch kind {
            case .after(let name):
                segments.indices.filter { $0 > 0 && segments[$0 - 1].lowercased() == name }
            case .template(let template): Self.hidden(in: segments, by: template)
            case .credentials: segments.indices.filter { Self.isCredential(segments[$0]) }
            }
        }

        private static func hidden(in segments: [String], by template: [String]) -> [Int] {
            var hidden: [Int] = []
            for (index, part) in template.enumerated() {
                guard index < segments.count else { return [] }
                if part.hasPrefix("{"), part.hasSuffix("*}") { return hidden + Array(index..<segments.count) }
                if part.hasPrefix("{"), part.hasSuffix("}") {
                    hidden.append(index)
                } else if PercentEncoding.decode(part) != segments[index] {
                    return []
                }
            }
            return template.count == segments.count ? hidden : []
        }

        private static func isCredential(_ segment: String) -> Bool {
            let bytes = Array(segment.utf8)
            let isToken = bytes.allSatisfy { byte in
                isLetter(byte) || isDigit(byte) || "-._~+=".utf8.contains(byte)
            }
            guard isToken else { return false }
            let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            if parts.count == 3, segment.hasPrefix("eyJ"), parts[1].starts(with: "eyJ".utf8) { return true }
            return bytes.count >= 32 && bytes.contains(where: isLetter) && bytes.contains(where: isDigit)
                && !isUUID(bytes)
        }

        private static func isUUID(_ bytes: [UInt8]) -> Bool {
            bytes.count == 36
                && bytes.enumerated().allSatisfy { index, byte in
                    [8, 13, 18, 23].contains(index)
                        ? byte == UInt8(ascii: "-") : isDigit(byte) || (UInt8(ascii: "a")...102).contains(byte | 0x20)
                }
        }

        private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
        private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    }

    /// Returns the path with hidden segments and parameters replaced. An authority before it is kept.
    func redactedPath(_ bytes: ArraySlice<UInt8>, hasAuthority: Bool) -> String {
        let bytes = redactedParameters(bytes)
        guard !pathRules.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        var pieces = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // An absolute URL has its host before the first slash; a path has an empty piece there.
        let first = hasAuthority || pieces.first == "" ? 1 : 0
        let segments = pieces.dropFirst(first).map { PercentEncoding.decode($0) }
        // A file may hold the placeholder percent-encoded; it represents the same hidden value.
        let again = segments.indices.filter { isHidden(segments[$0]) }
        for place in pathRules.flatMap({ $0.hidden(in: segments) }) + again where !segments[place].isEmpty {
            pieces[first + place] = hidden(segments[place])
        }
        return pieces.joined(separator: "/")
    }
}
