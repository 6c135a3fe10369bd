#if Tools
internal import HTTPTypes
internal import NetHTTP

/// Adds the headers of `--header` to each request. They can't be part of a transfer: one that continues needs them too, and no journal
/// keeps them.
struct AddedHeaders: RequestModifier {
    let fields: HTTPFields
    /// The only origin that gets them, since they may be credentials; nil for all.
    var origin: String?

    func modify(_ request: inout PreparedRequest) throws {
        guard origin == nil || request.origin == origin else { return }
        for field in fields { request.head.headerFields[field.name] = nil }
        request.head.headerFields.append(contentsOf: fields)
    }
}
#endif
