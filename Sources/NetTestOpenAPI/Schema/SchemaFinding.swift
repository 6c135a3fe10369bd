#if Server
/// A place where a schema doesn't accept a value.
struct SchemaFinding: Hashable, Sendable {
    /// The JSON pointer into the value; empty for the whole value.
    var instance: String
    /// The violated keyword, as a place in the document.
    var schema: String
    /// The error, as a sentence.
    var message: String
}

/// The direction of a value: `readOnly` members need not be sent, and `writeOnly` members need not be received.
enum BodyDirection: Hashable, Sendable {
    case request
    case response
}
#endif
