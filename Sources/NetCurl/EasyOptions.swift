#if os(Linux)
internal import HTTPTypes

/// Everything about an easy handle that differs between transfers: compared with what is set already, so that a pooled
/// handle changes only what it must. A class: transfer and handle hold one object instead of copying its strings.
final class EasyOptions: Sendable {
    /// How a request and its body are announced to libcurl.
    enum Method: Equatable {
        /// No body; libcurl writes no `Content-Length`.
        case bodyless(String)
        /// HEAD: no body comes back either.
        case head
        /// A body from memory, also an empty one: `Content-Length` is written.
        case bytes(String)
        /// A body from the read callback; -1 for an unknown length.
        case upload(String, length: Int64)
    }

    let url: String
    let method: Method
    let fields: HTTPFields
    let connectTimeout: Int
    let route: Route

    init(url: String, method: Method, fields: HTTPFields, connectTimeout: Int, route: Route) {
        self.url = url
        self.method = method
        self.fields = fields
        self.connectTimeout = connectTimeout
        self.route = route
    }

    /// The field lines for libcurl, and a line for each field that it would otherwise add by itself.
    var fieldLines: [String] {
        var lines: [String] = []
        lines.reserveCapacity(fields.count + 3)
        var names: Set<String> = []
        for field in fields {
            let name = field.name.canonicalName
            // libcurl frames the body; a second opinion from a field would break the message.
            if name == "content-length" || name == "transfer-encoding" { continue }
            names.insert(name)
            lines.append(field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
        }
        for name in ["Accept", "Expect", "Content-Type"] where !names.contains(name.lowercased()) {
            lines.append("\(name):")
        }
        return lines
    }
}
#endif
