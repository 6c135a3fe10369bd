#if Tools
internal import HTTPTypes
internal import NetHTTP

/// The headers of `--header`, on each request. Not on the downloads themselves: one that is gone on with needs them too, and no
/// journal has them.
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
