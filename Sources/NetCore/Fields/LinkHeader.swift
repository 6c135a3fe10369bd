public import HTTPTypes

/// The links of a response: the value of the field `Link` (RFC 8288).
///
///     let fields: HTTPFields = [.link: "</items?page=3>; rel=\"next last\", </>; rel=start; title=\"Home\""]
///     print(fields.links["next"]?.target ?? "none")  // /items?page=3
///     print(fields.links["next"]?.url(from: "https://h/items?page=2") ?? "")  // https://h/items?page=3
public struct LinkHeader: Sendable, Hashable {
    /// The most bytes of one line that are read; of a longer one nothing is.
    public static let maximumBytes = 64 << 10
    /// The most links that are read; those behind them are passed over.
    public static let maximumLinks = 1000

    /// One link: what it leads to, and how that relates to the response.
    public struct Link: Sendable, Hashable {
        /// The URL or reference as it came; see ``url(from:)``.
        public var target: String
        /// How the target relates: `next`, `prev`, `describedby`, or a URL. As they came; ``LinkHeader/subscript(_:)`` compares
        /// without regard to case.
        public var relations: [String]
        /// Everything else that is said, names lower-cased: `title`, `type`, `hreflang`, `anchor`, those of your own.
        public var parameters: [FieldParameter]

        /// Puts the parts together.
        public init(_ target: String, relations: [String], parameters: [FieldParameter] = []) {
            self.target = target
            self.relations = relations
            self.parameters = parameters
        }

        /// The value of a parameter, the first where it comes more than once; nil where there is none.
        public subscript(name: String) -> String? {
            let name = name.lowercased()
            return parameters.first { $0.name == name }?.value
        }

        /// The title, in the form for all languages (`title*`) before the plain one.
        public var title: String? { self["title*"].flatMap(ExtendedValue.decode) ?? self["title"] }

        /// Whether it is of that relation, whatever the case.
        public func isRelation(_ name: String) -> Bool {
            let name = name.lowercased()
            return relations.contains { $0.lowercased() == name }
        }

        /// The target, resolved against the URL of the response (RFC 3986 section 5).
        public func url(from base: String) -> String {
            URLReference(target).resolved(against: URLReference(base)).description
        }
    }

    /// The links in their order.
    public var links: [Link]

    /// Takes the links.
    public init(_ links: [Link] = []) {
        self.links = links
    }

    /// The first link of a relation that speaks of the response itself: one with an `anchor` speaks of something else.
    public subscript(relation: String) -> Link? {
        links.first { $0.isRelation(relation) && $0["anchor"] == nil }
    }

    /// The field value.
    ///
    /// Throws `.invalidRequest` for a target or relation that no field can hold, a name that is no token and a value with
    /// control characters; percent-encode a target first.
    public func serialized() throws(NetError) -> String {
        var texts: [String] = []
        for link in links {
            guard Self.isTarget(link.target), link.relations.allSatisfy({ !$0.isEmpty && Self.isTarget($0) }),
                link.parameters.allSatisfy({ FieldValueReader.isToken($0.name) && FieldValueReader.canQuote($0.value) })
            else {
                throw NetError(
                    .invalidRequest, phase: .preparing,
                    message:
                        "a link cannot be written: its target and relations must be percent-encoded, its names tokens")
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
    /// Reads one line of the field; what is malformed is passed over (RFC 8288 appendix B.2).
    public init(_ text: String) { self.init(lines: [text]) }

    /// Reads the lines of the field in their order.
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
    /// `<target>; name=value; name`; nil where none stands.
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
                // Only the first counts (section 3.3).
                hasRelations = true
                link.relations = value.split { $0 == " " || $0 == "\t" }.map(String.init)
            }
        }
        if !isAtElementEnd { skipElement() }
        return link
    }
}

extension HTTPFields {
    /// The links of `Link`; none where it is absent. Setting none, or links that cannot be written, removes the field.
    public var links: LinkHeader {
        get { LinkHeader(lines: self[values: .link]) }
        set {
            let text = (try? newValue.serialized()) ?? ""
            self[.link] = text.isEmpty ? nil : text
        }
    }
}
