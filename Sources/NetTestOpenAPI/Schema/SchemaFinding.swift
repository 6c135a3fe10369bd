#if Server
/// One place where a value is not what a schema says.
struct SchemaFinding: Hashable, Sendable {
    /// The JSON pointer in the value; empty for the whole.
    var instance: String
    /// The keyword that was broken, as a place in the document.
    var schema: String
    /// What is wrong, in a sentence.
    var message: String
}

/// Which way a value goes: what only a server sets need not be sent, what only a client sets is not received.
enum BodyDirection: Hashable, Sendable {
    case request
    case response
}
#endif
