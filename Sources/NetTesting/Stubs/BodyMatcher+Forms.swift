internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// What a stub asks of one part of a multipart form.
public struct PartMatcher: Sendable {
    /// The part's name.
    public var name: String
    /// What is asked of its file name. Default nil: nothing.
    public var filename: ValueMatcher?
    /// What is asked of its `Content-Type`. Default nil: nothing.
    public var contentType: ValueMatcher?
    /// What is asked of its content. Default nil: nothing.
    public var body: BodyMatcher?

    /// Asks for a part of that name.
    public init(
        _ name: String, filename: ValueMatcher? = nil, contentType: ValueMatcher? = nil, body: BodyMatcher? = nil
    ) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.body = body
    }

    fileprivate func differences(_ part: MultipartPart) -> [String] {
        var found: [String] = []
        if let filename, !filename.matches(part.filename.map { [$0] } ?? []) {
            found.append("the file name of part \(name) should be \(filename)")
        }
        let types = part.headers[values: .contentType]
        if let contentType, !contentType.matches(types) {
            found.append("Content-Type of part \(name) should be \(contentType)")
        }
        let request = StubRequest(method: .post, target: "/", headers: part.headers, body: part.body)
        return found + (body?.differences(request) ?? []).map { "in part \(name): \($0)" }
    }
}

extension BodyMatcher {
    /// An `application/x-www-form-urlencoded` body with these fields, in whatever order; others may be there too.
    public static func form(_ fields: [String: ValueMatcher]) -> BodyMatcher {
        BodyMatcher("a form with \(fields.keys.sorted().joined(separator: ", "))") { request in
            guard request.mediaType == "application/x-www-form-urlencoded" else {
                return ["Content-Type should be application/x-www-form-urlencoded"]
            }
            let items = StubRequest.items(of: String(decoding: request.body, as: UTF8.self))
            return fields.sorted { $0.key < $1.key }.compactMap { name, matcher in
                let values = items.filter { $0.name == name }.map { $0.value ?? "" }
                if matcher.matches(values) { return nil }
                let shown = Shown.values(values, name: name)
                return "form field \(name) is \(shown), it should be \(Shown.matcher(matcher, name: name))"
            }
        }
    }

    /// A `multipart/form-data` body (RFC 7578) with these parts, in whatever order; others may be there too.
    public static func multipart(_ parts: [PartMatcher]) -> BodyMatcher {
        BodyMatcher("a multipart form with \(parts.map(\.name).joined(separator: ", "))") { request in
            guard let found = request.formParts else {
                return ["the body is no multipart/form-data with the boundary of its Content-Type"]
            }
            return parts.flatMap { matcher -> [String] in
                let named = found.filter { $0.name == matcher.name }
                guard let first = named.first else { return ["part \(matcher.name) is missing in the body"] }
                if named.contains(where: { matcher.differences($0).isEmpty }) { return [] }
                return matcher.differences(first)
            }
        }
    }
}

extension StubRequest {
    /// The media type without parameters, lower-cased; "" for none.
    var mediaType: String {
        let text = headers[.contentType] ?? ""
        return text.prefix { $0 != ";" }.trimmed.lowercased()
    }

    /// The parts of a `multipart/form-data` body that is whole; else nil.
    var formParts: [MultipartPart]? {
        guard mediaType == "multipart/form-data" else { return nil }
        return MultipartPart.boundary(of: headers[.contentType] ?? "").flatMap {
            MultipartPart.parts(of: body, boundary: $0)
        }
    }
}
