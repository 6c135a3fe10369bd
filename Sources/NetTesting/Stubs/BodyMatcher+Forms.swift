internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// The conditions for one part of a multipart form.
public struct PartMatcher: Sendable {
    /// The part's name.
    public var name: String
    /// The condition for the file name. Default nil: no condition.
    public var filename: ValueMatcher?
    /// The condition for the `Content-Type`. Default nil: no condition.
    public var contentType: ValueMatcher?
    /// The condition for the content. Default nil: no condition.
    public var body: BodyMatcher?

    /// Creates a matcher for the part of that name.
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
    /// An `application/x-www-form-urlencoded` body with these fields, in any order; more fields are allowed.
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

    /// A `multipart/form-data` body (RFC 7578) with these parts, in any order; more parts are allowed.
    public static func multipart(_ parts: [PartMatcher]) -> BodyMatcher {
        BodyMatcher("a multipart form with \(parts.map(\.name).joined(separator: ", "))") { request in
            guard let found = request.formParts else {
                return ["the body isn't multipart/form-data with the boundary of its Content-Type"]
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
    /// The media type without parameters, in lower case; "" if there is none.
    var mediaType: String {
        let text = headers[.contentType] ?? ""
        return text.prefix { $0 != ";" }.trimmed.lowercased()
    }

    /// The parts of a complete `multipart/form-data` body; nil for any other body.
    var formParts: [MultipartPart]? {
        guard mediaType == "multipart/form-data" else { return nil }
        return MultipartPart.boundary(of: headers[.contentType] ?? "").flatMap {
            MultipartPart.parts(of: body, boundary: $0)
        }
    }
}
