#if Tools
internal import NetStore

/// The common key of calls that request the same thing from a server: the operation or, without one, the method, host
/// and path with `*` for the parts that look like IDs.
struct Endpoint: Hashable {
    let method: String
    /// Empty to match any host.
    private(set) var host: String
    let operation: String?
    let path: String

    init(_ item: StoredItem) {
        method = item.method ?? ""
        host = item.host ?? ""
        operation = item.operation
        path = operation == nil ? Self.pattern(item.subject) : ""
    }

    /// The name in a sentence: `getOrder`, or `GET api.example.com/orders/*`.
    var name: String { operation ?? "\(method) \(host)\(path)" }

    /// The same endpoint for any host.
    var ofAnyHost: Endpoint {
        var endpoint = self
        endpoint.host = ""
        return endpoint
    }

    var filter: ActivityFilter {
        if let operation {
            let named = ActivityFilter.operation(ActivityFilter.literal(operation))
            return host.isEmpty ? named : named & .host(ActivityFilter.literal(host))
        }
        let parts = path.split(separator: "*", omittingEmptySubsequences: false).map {
            ActivityFilter.literal(String($0))
        }
        return .method(ActivityFilter.literal(method))
            & .url("*" + ActivityFilter.literal(host) + parts.joined(separator: "*") + "*")
    }

    /// Returns the path with `*` for each part that consists of digits, mixes many letters and digits, or is hidden.
    private static func pattern(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { isID($0) ? "*" : String($0) }
            .joined(separator: "/")
    }

    private static func isID(_ part: Substring) -> Bool {
        let digits = part.utf8.count { $0 >= 48 && $0 <= 57 }
        guard digits > 0 else { return part.hasPrefix("<redacted") }
        return digits == part.utf8.count || part.utf8.count >= 8 && digits * 4 >= part.utf8.count
    }
}
#endif
