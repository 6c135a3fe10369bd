public import HTTPTypes

/// The status line and fields of a response.
///
/// Fields keep their order and repetitions. A transport hands over the header block as bytes; it becomes strings only
/// when somebody looks.
///
///     print(head.status.code, head[.contentType] ?? "no type")
public struct ResponseHead: Sendable {
    /// The status code and reason.
    public var status: HTTPResponse.Status
    /// The protocol version, `1.0`, `1.1` or `2`; empty where it is not known.
    public var version: String
    private var storage: FieldStorage

    private enum FieldStorage: Sendable {
        case parsed(HTTPFields)
        case block(HeaderBlock)
    }

    /// Makes a head of fields.
    public init(status: HTTPResponse.Status, version: String = "", fields: HTTPFields = [:]) {
        self.status = status
        self.version = version
        storage = .parsed(fields)
    }

    /// Makes a head of a header block as it came.
    package init(status: HTTPResponse.Status, version: String, block: HeaderBlock) {
        self.status = status
        self.version = version
        storage = .block(block)
    }

    /// The fields in their order.
    public var fields: HTTPFields {
        get {
            switch storage {
            case .parsed(let fields): fields
            case .block(let block): block.fields
            }
        }
        set { storage = .parsed(newValue) }
    }

    /// Whether there is any point in asking for `Content-Encoding`; costs nothing.
    package var mayHaveContentEncoding: Bool {
        if case .block(let block) = storage { block.mayHaveContentEncoding } else { true }
    }

    /// The value of a field, several values joined by `, `; nil when it is absent.
    public subscript(name: HTTPField.Name) -> String? {
        switch storage {
        case .parsed(let fields): fields[name]
        case .block(let block): block[name]
        }
    }

    /// Whether the status is 2xx.
    public var isSuccess: Bool { (200..<300).contains(status.code) }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status line alone: a field may be a secret.
    public var description: String {
        "HTTP/\(version.isEmpty ? "?" : version) \(status.code) \(status.reasonPhrase)"
    }

    /// Without the fields.
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "version": version]) }
}
