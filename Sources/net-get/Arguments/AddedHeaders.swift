#if Tools
internal import HTTPTypes
internal import NetHTTP

/// Adds the headers of `--header` to each request. They can't be part of a transfer: a resumed transfer needs them too,
/// and a journal never stores them.
struct AddedHeaders: RequestModifier {
    let fields: HTTPFields
    /// The only origin that receives them, since they may be credentials; nil for all origins.
    var origin: String?

    func modify(_ request: inout PreparedRequest) throws {
        guard origin == nil || request.origin == origin else { return }
        for field in fields { request.head.headerFields[field.name] = nil }
        request.head.headerFields.append(contentsOf: fields)
    }
}
#endif
