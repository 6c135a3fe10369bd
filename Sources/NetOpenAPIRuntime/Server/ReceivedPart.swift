internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One part of a received multipart form.
struct ReceivedPart: Sendable {
    let name: String
    let filename: String?
    let headers: HTTPFields
    private var chunks: [Bytes] = []

    private init(_ headers: HTTPFields) {
        let disposition = headers[.contentDisposition].flatMap { ContentDisposition($0) }
        name = disposition?.name ?? ""
        filename = disposition?.filename
        self.headers = headers
    }

    var body: Bytes { chunks.count == 1 ? chunks[0] : Bytes(chunks.joined()) }

    /// Reads the parts of a form. Throws if the body isn't a multipart form, or has more than 1000 parts.
    static func read(_ request: ServerRequest) throws(ReceivedFault) -> [ReceivedPart] {
        guard let boundary = request.headers[.contentType].flatMap({ MediaType($0) })?["boundary"] else {
            throw ReceivedFault("body", "")
        }
        do {
            var parser = try MultipartParser(boundary: boundary, maximumParts: 1000, requiresNames: true)
            var parts: [ReceivedPart] = []
            var input = request.body
            while let event = try parser.next(from: &input) {
                switch event {
                case .part(let headers): parts.append(ReceivedPart(headers))
                case .body(let bytes): parts[parts.count - 1].chunks.append(bytes)
                case .partEnd: break
                }
            }
            try parser.finish()
            return parts
        } catch {
            throw ReceivedFault("body", "")
        }
    }

    var file: FormFile {
        FormFile(body.data, filename: filename ?? "file", contentType: headers[.contentType])
    }
}

extension ReceivedRequest {
    /// Returns a file of a multipart form; throws if it's missing.
    @_spi(Generated) public mutating func file(_ name: String) throws(ReceivedFault) -> FormFile {
        guard let file = try optionalFile(name) else { throw ReceivedFault("part", name, isMissing: true) }
        return file
    }

    /// Returns a file of a multipart form; nil if it's missing.
    @_spi(Generated) public mutating func optionalFile(_ name: String) throws(ReceivedFault) -> FormFile? {
        try parts(name).first?.file
    }

    /// Returns the files of a multipart form with a name.
    @_spi(Generated) public mutating func files(_ name: String) throws(ReceivedFault) -> [FormFile] {
        try parts(name).map(\.file)
    }

    /// Returns the files of a multipart form with a name; nil if there is none.
    @_spi(Generated) public mutating func optionalFiles(_ name: String) throws(ReceivedFault) -> [FormFile]? {
        let files = try files(name)
        return files.isEmpty ? nil : files
    }

    /// Returns a value of a multipart form; throws if it's missing.
    @_spi(Generated) public mutating func part<Value: Decodable>(_ name: String) throws(ReceivedFault) -> Value {
        guard let value: Value = try optionalPart(name) else { throw ReceivedFault("part", name, isMissing: true) }
        return value
    }

    /// Returns a value of a multipart form: text, or JSON if its media type says so; nil if it's missing.
    @_spi(Generated) public mutating func optionalPart<Value: Decodable>(
        _ name: String
    ) throws(ReceivedFault) -> Value? {
        let parts = try parts(name)
        guard let first = parts.first else { return nil }
        do {
            if first.headers[.contentType].flatMap({ MediaType($0) })?.isJSON ?? false {
                return try JSONCoding.standard.decode(Value.self, from: first.body)
            }
            let texts = parts.map { Charset.ofContentType($0.headers[.contentType]).decode($0.body) ?? "" }
            let value: Value = try ReceivedText(texts).decoded(as: Value.self)
            return value
        } catch {
            throw ReceivedFault("part", name)
        }
    }

    /// Returns a header of a part; throws if it's missing.
    @_spi(Generated) public mutating func partHeader<Value: Decodable>(
        _ header: String, of name: String
    ) throws(ReceivedFault) -> Value {
        guard let value: Value = try optionalPartHeader(header, of: name) else {
            throw ReceivedFault("header", header, isMissing: true)
        }
        return value
    }

    /// Returns a header of a part; nil if it's missing.
    @_spi(Generated) public mutating func optionalPartHeader<Value: Decodable>(
        _ header: String, of name: String
    ) throws(ReceivedFault) -> Value? {
        guard let field = HTTPField.Name(header), let text = try parts(name).first?.headers[field] else { return nil }
        do {
            let value: Value = try ReceivedText.plain(text, explode: false).decoded(as: Value.self)
            return value
        } catch {
            throw ReceivedFault("header", header)
        }
    }
}
