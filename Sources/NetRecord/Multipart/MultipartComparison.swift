package import HTTPTypes
package import NetCore

extension CapturedExchange.Request {
    /// Describes the differences between two multipart bodies for people; empty if they are equal, nil if either isn't
    /// multipart.
    ///
    /// Compares parts in order (RFC 7578 section 5.2), and JSON in them by value. Ignores the boundary, which clients
    /// choose at random, and any text outside the parts.
    package func multipartDifferences(live: CapturedExchange.Request) -> [String]? {
        guard let (old, oldIsWhole) = multipart, let (new, newIsWhole) = live.multipart, newIsWhole,
            oldIsWhole || body.isCut
        else { return nil }
        guard old.count == new.count || body.isCut && old.count < new.count else {
            return ["the body has \(new.count) parts, but \(old.count) were recorded"]
        }
        return zip(old, new).enumerated().flatMap { index, pair in
            pair.0.differences(live: pair.1, isCut: !oldIsWhole && index == old.count - 1)
                .map { "part \(index + 1)\(pair.0.name.map { " (\($0))" } ?? "") of the body \($0)" }
        }
    }

    /// Returns a header value for comparing requests: without the boundary of a multipart body.
    package func comparedValue(of name: HTTPField.Name) -> String? {
        guard name == .contentType, let value = headers[name], let boundary = MultipartPart.boundary(of: value) else {
            return headers[name]
        }
        return value.split(separator: boundary, omittingEmptySubsequences: false).joined(separator: "…")
    }

    private var multipart: (parts: [MultipartPart], isWhole: Bool)? {
        MultipartPart.boundary(of: headers[.contentType] ?? "")
            .map { MultipartPart.parts(in: Array(body.bytes), boundary: $0) }
    }
}

extension MultipartPart {
    fileprivate func differences(live: MultipartPart, isCut: Bool) -> [String] {
        let names = Set(headers.map(\.name) + live.headers.map(\.name)).sorted { $0.canonicalName < $1.canonicalName }
        let found = names.compactMap { name -> String? in
            let (old, new) = (headers[name] ?? "absent", live.headers[name] ?? "absent")
            return old == new ? nil : "has another \(name.rawName): recorded \"\(old)\", sent \"\(new)\""
        }
        return found + contentDifference(live: live, isCut: isCut)
    }

    private func contentDifference(live: MultipartPart, isCut: Bool) -> [String] {
        if body == live.body || isCut && live.body.starts(with: body) { return [] }
        let json = JSONCoding.standard
        if let old = try? json.decode(JSONValue.self, from: body),
            old == (try? json.decode(JSONValue.self, from: live.body))
        {
            return []
        }
        let place = zip(body, live.body).prefix { $0 == $1 }.count
        return ["differs from byte \(place) on: recorded \(body.count) bytes, sent \(live.body.count)"]
    }
}
