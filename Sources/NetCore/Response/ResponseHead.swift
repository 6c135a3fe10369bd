public import HTTPTypes

/// The status line and the headers of a response.
///
/// Headers keep their order and repetitions. A transport passes the header block as bytes, which are parsed only when
/// they're read.
///
///     print(head.status.code, head[.contentType] ?? "no type")
public struct ResponseHead: Sendable {
    /// The status code and the reason phrase.
    public var status: HTTPResponse.Status
    /// The protocol version, `1.0`, `1.1` or `2`; empty if it's unknown.
    public var version: String
    private var storage: FieldStorage

    private enum FieldStorage: Sendable {
        case parsed(HTTPFields)
        case block(HeaderBlock)
    }

    /// Creates a head from headers.
    public init(status: HTTPResponse.Status, version: String = "", headers: HTTPFields = [:]) {
        self.status = status
        self.version = version
        storage = .parsed(headers)
    }

    /// Creates a head from a header block as received.
    package init(status: HTTPResponse.Status, version: String, block: HeaderBlock) {
        self.status = status
        self.version = version
        storage = .block(block)
    }

    /// The headers, in order.
    public var headers: HTTPFields {
        get {
            switch storage {
            case .parsed(let headers): headers
            case .block(let block): block.headers
            }
        }
        set { storage = .parsed(newValue) }
    }

    /// True if there may be a `Content-Encoding`, without parsing the headers.
    package var mayHaveContentEncoding: Bool {
        if case .block(let block) = storage { block.mayHaveContentEncoding } else { true }
    }

    /// The value of a header; several values are joined by `, `. Nil if it's absent.
    public subscript(name: HTTPField.Name) -> String? {
        switch storage {
        case .parsed(let headers): headers[name]
        case .block(let block): block[name]
        }
    }

    /// True if the status is 2xx.
    public var isSuccess: Bool { (200..<300).contains(status.code) }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// Only the status line, since headers may contain secrets.
    public var description: String {
        "HTTP/\(version.isEmpty ? "?" : version) \(status.code) \(status.reasonPhrase)"
    }

    /// The status and the version, without the headers.
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "version": version]) }
}
