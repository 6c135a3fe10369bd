public import HTTPTypes

/// The links of a response: the value of the `Link` header (RFC 8288).
///
///     let headers: HTTPFields = [.link: "</items?page=3>; rel=\"next last\", </>; rel=start; title=\"Home\""]
///     print(headers.links["next"]?.target ?? "none")  // /items?page=3
///     print(headers.links["next"]?.url(from: "https://h/items?page=2") ?? "")  // https://h/items?page=3
public struct LinkHeader: Sendable, Hashable {
    /// The maximum length of one line, in bytes; a longer line is skipped entirely.
    public static let maximumBytes = 64 << 10
    /// The maximum number of links; those after it are skipped.
    public static let maximumLinks = 1000

    /// One link: its target, and the target's relation to the response.
    public struct Link: Sendable, Hashable {
        /// The URL or reference as received; see ``url(from:)``.
        public var target: String
        /// The relations of the target, as received: `next`, `prev`, `describedby`, or a URL.
        /// ``LinkHeader/subscript(_:)`` ignores case.
        public var relations: [String]
        /// All other parameters, with names in lowercase: `title`, `type`, `hreflang`, `anchor`, and your own.
        public var parameters: [FieldParameter]

        /// Creates a link.
        ///
        /// - Parameters:
        ///   - target: The URL or reference.
        ///   - relations: The relations of the target.
        ///   - parameters: All other parameters. Default none.
        public init(_ target: String, relations: [String], parameters: [FieldParameter] = []) {
            self.target = target
            self.relations = relations
            self.parameters = parameters
        }

        /// The value of the first parameter with a name, ignoring case; nil if there is none.
        public subscript(name: String) -> String? {
            let name = name.lowercased()
            return parameters.first { $0.name == name }?.value
        }

        /// The title; the form for all languages (`title*`) takes precedence over the plain one.
        public var title: String? { self["title*"].flatMap(ExtendedValue.decode) ?? self["title"] }

        /// Returns true if the link has a relation, ignoring case.
        public func isRelation(_ name: String) -> Bool {
            let name = name.lowercased()
            return relations.contains { $0.lowercased() == name }
        }

        /// Returns the target, resolved against the URL of the response (RFC 3986 section 5).
        public func url(from base: String) -> String {
            URLReference(target).resolved(against: URLReference(base)).description
        }
    }

    /// The links in order.
    public var links: [Link]

    /// Creates a header from links. Default none.
    public init(_ links: [Link] = []) {
        self.links = links
    }

    /// The first link with a relation to the response itself; skips links with an `anchor`, which have another context.
    public subscript(relation: String) -> Link? {
        links.first { $0.isRelation(relation) && $0["anchor"] == nil }
    }

    /// Returns the header value.
    ///
    /// Throws `.invalidRequest` for a target or relation that a header can't contain, a name that isn't a token, and a
    /// value with control characters; percent-encode a target first.
    public func serialized() throws(NetError) -> String {
        var texts: [String] = []
        for link in links {
            guard Self.isTarget(link.target), link.relations.allSatisfy({ !$0.isEmpty && Self.isTarget($0) }),
                link.parameters.allSatisfy({ FieldValueReader.isToken($0.name) && FieldValueReader.canQuote($0.value) })
            else {
                throw NetError(
                    .invalidRequest, phase: .preparing,
                    message:
                        "a link cannot be written: its target and relations must be percent-encoded, its parameter "
                        + "names tokens"
                )
            }
            var text = "<\(link.target)>"
            if !link.relations.isEmpty {
                text += "; rel=\(FieldValueReader.inQuotes(link.relations.joined(separator: " ")))"
            }
            for parameter in link.parameters {
                let isBare = parameter.name.hasSuffix("*") && FieldValueReader.isToken(parameter.value)
                text += "; \(parameter.name)="
                text += isBare ? parameter.value : FieldValueReader.inQuotes(parameter.value)
            }
            texts.append(text)
        }
        return texts.joined(separator: ", ")
    }

    private static func isTarget(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != 34 }
    }
}

extension LinkHeader {
    /// Parses one line of the header; malformed elements are skipped (RFC 8288 appendix B.2).
    public init(_ text: String) { self.init(lines: [text]) }

    /// Parses the lines of the header, in order.
    public init(lines: [String]) {
        links = []
        for line in lines where line.utf8.count <= Self.maximumBytes {
            var reader = FieldValueReader(line)
            while !reader.isAtEnd, links.count < Self.maximumLinks {
                reader.skipBlanks()
                if reader.skip(",") { continue }
                guard let link = reader.link() else {
                    reader.skipElement()
                    continue
                }
                links.append(link)
            }
        }
    }
}

extension FieldValueReader {
    /// Reads `<target>; name=value; name`; nil if there is no link.
    fileprivate mutating func link() -> LinkHeader.Link? {
        guard let target = angled() else { return nil }
        var link = LinkHeader.Link(target, relations: [])
        var hasRelations = false
        while true {
            skipBlanks()
            guard skip(";") else { break }
            skipBlanks()
            guard let name = token() else { continue }
            skipBlanks()
            var value = ""
            if skip("=") {
                skipBlanks()
                value = quotedString() ?? bareValue()
            }
            let parameter = FieldParameter(name, value)
            if parameter.name != "rel" {
                link.parameters.append(parameter)
            } else if !hasRelations {
                // Only the first `rel` counts (section 3.3).
                hasRelations = true
                link.relations = value.split { $0 == " " || $0 == "\t" }.map(String.init)
            }
        }
        if !isAtElementEnd { skipElement() }
        return link
    }
}

extension HTTPFields {
    /// The links of the `Link` header; empty if it's absent. Setting no links, or links that can't be written, removes
    /// the header.
    public var links: LinkHeader {
        get { LinkHeader(lines: self[values: .link]) }
        set {
            let text = (try? newValue.serialized()) ?? ""
            self[.link] = text.isEmpty ? nil : text
        }
    }
}
