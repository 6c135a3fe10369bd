#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file in a multipart form.
public struct FormFile: Sendable, Hashable {
    /// The contents.
    public var data: Data
    /// The name sent with it. Default `file`.
    public var filename: String
    /// Its media type. Default `application/octet-stream`.
    public var contentType: String

    /// Takes the contents and what to say about them.
    public init(_ data: Data, filename: String = "file", contentType: String = "application/octet-stream") {
        self.data = data
        self.filename = filename
        self.contentType = contentType
    }
}

/// Builds a `multipart/form-data` body (RFC 7578) of parts that are in memory.
///
///     var form = MultipartForm()
///     form.append("caption", "A cat")
///     form.append("photo", FormFile(data, filename: "cat.png", contentType: "image/png"))
///     let body = RequestBody.multipart(form)
public struct MultipartForm: Sendable {
    private struct Part: Sendable {
        let head: String
        let content: Bytes
    }

    private var parts: [Part] = []
    private var problem: String?

    /// No parts.
    public init() {}

    /// Adds a value as text, a list as one part for each element, an object as JSON; nil adds nothing.
    public mutating func append(_ name: String, _ value: (some Encodable)?, contentType: String? = nil) {
        guard let value else { return }
        do {
            if contentType.map(Self.isJSON) ?? false { return try appendJSON(name, value, contentType) }
            switch try ParameterValue(value) {
            case .null: break
            case .scalar(let text): add(name, Bytes(text.utf8), contentType: contentType)
            case .array(let elements):
                guard elements.allSatisfy({ if case .scalar = $0 { true } else { false } }) else {
                    return try appendJSON(name, value, contentType)
                }
                for element in elements { add(name, Bytes(element.text.utf8), contentType: contentType) }
            case .object: try appendJSON(name, value, contentType)
            }
        } catch {
            problem = problem ?? "the part \"\(name)\" cannot be encoded: \(error)"
        }
    }

    /// Adds a file; nil adds nothing.
    public mutating func append(_ name: String, _ file: FormFile?) {
        guard let file else { return }
        add(name, Bytes(file.data), filename: file.filename, contentType: file.contentType)
    }

    /// Adds files, a part for each; nil adds nothing.
    public mutating func append(_ name: String, _ files: [FormFile]?) {
        for file in files ?? [] { append(name, file) }
    }

    private static func isJSON(_ type: String) -> Bool {
        type.hasPrefix("application/json") || type.contains("+json")
    }

    private mutating func appendJSON(_ name: String, _ value: some Encodable, _ contentType: String?) throws {
        add(name, try JSONCoding.standard.encode(value), contentType: contentType ?? "application/json")
    }

    private mutating func add(_ name: String, _ content: Bytes, filename: String? = nil, contentType: String?) {
        var head = "Content-Disposition: form-data; name=\"\(Self.escape(name))\""
        if let filename { head += "; filename=\"\(Self.escape(filename))\"" }
        head += "\r\n"
        if let contentType {
            if contentType.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
                problem = problem ?? "the content type of the part \"\(name)\" holds a control character"
            }
            head += "Content-Type: \(contentType)\r\n"
        }
        parts.append(Part(head: head, content: content))
    }

    /// What browsers do (HTML, multipart form data): line ends and quotation marks are percent-encoded.
    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case "\"": result += "%22"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    func encoded() throws(NetError) -> (bytes: Bytes, boundary: String) {
        if let problem { throw NetError(.encoding, phase: .preparing, message: problem) }
        let boundary = freeBoundary()
        var output: [UInt8] = []
        output.reserveCapacity(parts.reduce(64) { $0 + $1.content.count + $1.head.utf8.count + boundary.count + 8 })
        for part in parts {
            output += "--\(boundary)\r\n\(part.head)\r\n".utf8
            output += part.content
            output += "\r\n".utf8
        }
        output += "--\(boundary)--\r\n".utf8
        return (Bytes(output), boundary)
    }

    /// A boundary that occurs in no part: the parts are in memory, so nothing need be left to chance.
    private func freeBoundary() -> String {
        var number = parts.reduce(parts.count) { ($0 &* 31) &+ $1.content.count } & 0xffff
        while true {
            let boundary = "net-form-boundary-\(String(number, radix: 16))"
            let needle = Array("--\(boundary)".utf8)
            if !parts.contains(where: { $0.content.contains(needle) }) { return boundary }
            number += 1
        }
    }
}

extension Bytes {
    fileprivate func contains(_ needle: [UInt8]) -> Bool {
        guard let first = needle.first, count >= needle.count else { return false }
        return withUnsafeBytes { bytes in
            (0...(bytes.count - needle.count)).contains { start in
                bytes[start] == first && bytes[start..<start + needle.count].elementsEqual(needle)
            }
        }
    }
}

extension RequestBody {
    /// A multipart form.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody { _ in
            let (bytes, boundary) = try form.encoded()
            return Resolved(.bytes(bytes), contentType: "multipart/form-data; boundary=\(boundary)")
        }
    }
}
