#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Generates the response of an operation from the document's examples, or else from its schemas.
struct ResponseSampler {
    /// Header fields that framing and content coding depend on; a generated value would break the response.
    private static let reservedFields: Set<String> = [
        "content-length", "transfer-encoding", "content-encoding", "content-type", "connection", "trailer", "upgrade",
        "keep-alive", "content-digest", "repr-digest", "digest", "content-md5", "content-range", "date", "set-cookie",
    ]

    let description: APIDescription
    let operation: OperationDescription
    let seed: UInt64

    /// The response for a request that accepts these media types.
    func response(accept: String?) -> StubResponse {
        guard let (declared, status) = choice() else { return StubResponse(status: .init(code: 200)) }
        var response = StubResponse(status: .init(code: status))
        let values = sampler("\(status)")
        for header in declared.headers where !Self.reservedFields.contains(header.name.lowercased()) {
            guard let name = HTTPField.Name(header.name), let text = text(of: header, values),
                HTTPField.isValidValue(text)
            else { continue }
            response.headers[name] = text
        }
        guard status >= 200, status != 204, status != 205, status != 304, let media = media(declared, accept) else {
            return response
        }
        let body = BodySampler(values: sampler("\(status) \(media.essence)"), media: media)
        response.headers[.contentType] = body.contentType
        response.body = .bytes(body.bytes())
        return response
    }

    private func sampler(_ name: String) -> ValueSampler {
        ValueSampler(
            set: description.set, random: SampleRandom(seed: seed, name: "\(operation.name) \(name)"),
            direction: .response)
    }

    /// The success response with the lowest code; without one, the default response, then any other.
    private func choice() -> (ResponseDescription, status: Int)? {
        func code(_ response: ResponseDescription) -> Int {
            switch response.status {
            case .code(let code): code
            case .range(let digit): digit * 100
            case .other: 200
            }
        }
        let good = operation.responses.filter { $0.status != .other && (200..<300).contains(code($0)) }
        let chosen =
            good.min { code($0) < code($1) } ?? operation.responses.first { $0.status == .other }
            ?? operation.responses.filter { code($0) >= 300 }.min { code($0) < code($1) }
        return chosen.map { ($0, code($0)) }
    }

    /// The media type that the request prefers; JSON among equals.
    private func media(_ response: ResponseDescription, _ accept: String?) -> MediaDescription? {
        let ranges = (accept ?? "*/*").split(separator: ",").map { element -> (range: String, quality: Double) in
            let parts = element.split(separator: ";").map { $0.split(separator: " ").joined().lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", quality ?? 1)
        }
        func quality(_ media: MediaDescription) -> Double {
            let fits = ranges.filter { range in
                let wanted = MediaDescription(text: "", essence: range.range, place: media.place)
                return wanted.fit(media.essence) > 0 || media.fit(range.range) > 0
            }
            return fits.map(\.quality).max() ?? 0
        }
        func rank(_ media: MediaDescription) -> Int {
            media.essence == "application/json" ? 0 : media.essence.hasSuffix("json") ? 1 : 2
        }
        return response.content.enumerated().min { left, right in
            (-quality(left.element), rank(left.element), left.offset)
                < (-quality(right.element), rank(right.element), right.offset)
        }?.element
    }

    /// The value of a header field in the style `simple`.
    private func text(of header: ParameterDescription, _ values: ValueSampler) -> String? {
        if let media = header.content {
            return media.schema.flatMap { values.value($0) }.map {
                String(decoding: BodySampler.json($0), as: UTF8.self)
            }
        }
        guard let schema = header.schema else { return header.samples.first.map(Self.plain) }
        let sample = header.samples.first {
            SchemaCheck.accepts($0, schema, in: description.set, .response)
        }
        switch sample ?? values.value(schema) {
        case nil: return nil
        case .array(let elements)?: return elements.map(Self.plain).joined(separator: ",")
        case .object(let members)?:
            let pairs = members.sorted { $0.key < $1.key }.map { ($0.key, Self.plain($0.value)) }
            return pairs.map { header.explode ? "\($0)=\($1)" : "\($0),\($1)" }.joined(separator: ",")
        case let value?: return Self.plain(value)
        }
    }

    private static func plain(_ value: JSONValue) -> String {
        value.stringValue ?? String(decoding: BodySampler.json(value), as: UTF8.self)
    }
}
#endif
