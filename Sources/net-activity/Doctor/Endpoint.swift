#if Tools
internal import NetStore

/// What calls have in common that ask the same of a server: the operation, else method, host and path with `*` for the parts
/// that look like IDs.
struct Endpoint: Hashable {
    let method: String
    /// Empty for any host.
    private(set) var host: String
    let operation: String?
    let path: String

    init(_ item: StoredItem) {
        method = item.method ?? ""
        host = item.host ?? ""
        operation = item.operation
        path = operation == nil ? Self.pattern(item.subject) : ""
    }

    /// As it is said in a sentence: `getOrder`, or `GET api.example.com/orders/*`.
    var name: String { operation ?? "\(method) \(host)\(path)" }

    /// The same endpoint of any host.
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

    /// The path with `*` for each part of digits, or of many letters and digits mixed.
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
