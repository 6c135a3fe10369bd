public import NetCore

/// A subscription: its request and the type of its events.
///
///     struct Trades: SocketSubscription {
///         struct Event: Codable, Sendable { var price: Double }
///         var symbol: String
///         func payload(_ coding: JSONCoding) throws -> SocketPayload {
///             try SocketPayload(["symbol": symbol], coding: coding)
///         }
///     }
///
/// On a wire without an envelope, ``SocketWire/raw``, the payload is the whole message that subscribes, every message
/// of the server is offered to every subscription, and ``ending(_:)`` creates the message that unsubscribes.
public protocol SocketSubscription: Sendable {
    /// The type of the events.
    associatedtype Event: Sendable
    /// Creates the payload of the subscription, which is sent on each new connection.
    func payload(_ coding: JSONCoding) throws -> SocketPayload
    /// Creates the payload of the message that ends the subscription; nil, the default, for none. Only for wires with
    /// ``SocketWire/Features/sharedEvents``: other wires have their own message for it.
    func ending(_ coding: JSONCoding) throws -> SocketPayload?
    /// Decodes an event; nil drops it, and an error ends the subscription. By default, decodes the event's payload.
    ///
    /// On a wire with ``SocketWire/Features/sharedEvents``, it is called with every message while the next ones wait,
    /// and must return nil for messages that belong to other subscriptions.
    func event(in payload: SocketPayload, _ coding: JSONCoding) throws -> Event?
}

extension SocketSubscription {
    public func ending(_ coding: JSONCoding) throws -> SocketPayload? { nil }
}

extension SocketSubscription where Event: Decodable {
    public func event(in payload: SocketPayload, _ coding: JSONCoding) throws -> Event? {
        try payload.decoded(as: Event.self, coding: coding)
    }
}

/// A GraphQL operation over the wire protocols of GraphQL; the `data` of each result is decoded.
///
///     struct Stars: Decodable, Sendable { var stars: Int }
///     let operation = GraphQLSubscription("subscription { stars }", as: Stars.self)
///
/// A result with `errors` but no `data` ends the subscription. The failure has the message of the first error and its
/// `extensions.code`, or the code `error` if there is none. A result with both is an event.
public struct GraphQLSubscription<Event: Decodable & Sendable>: SocketSubscription {
    /// The document.
    public var query: String
    /// The variables; nil for none.
    public var variables: JSONValue?
    /// The name of the operation if the document has several; nil for none.
    public var operationName: String?

    /// Creates an operation.
    public init(
        _ query: String, variables: JSONValue? = nil, operationName: String? = nil, as type: Event.Type = Event.self
    ) {
        self.query = query
        self.variables = variables
        self.operationName = operationName
    }

    public func payload(_ coding: JSONCoding) throws -> SocketPayload {
        var members: [String: JSONValue] = ["query": .string(query)]
        members["variables"] = variables
        members["operationName"] = operationName.map { .string($0) }
        return try SocketPayload(JSONValue.object(members), coding: .standard)
    }

    public func event(in payload: SocketPayload, _ coding: JSONCoding) throws -> Event? {
        let result = try payload.decoded(as: GraphQLResult<Event>.self, coding: coding)
        if let data = result.data { return data }
        guard result.errors?.isEmpty == false else { return nil }
        throw SocketFailure(graphQL: payload.json.flatMap { try? JSONSlice($0) })
    }
}

extension GraphQLSubscription: CustomReflectable {
    /// The operation without its variables, which may be secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["operationName": operationName as Any], displayStyle: .struct)
    }
}

/// The result of an operation (GraphQL, section 7.1).
private struct GraphQLResult<Data: Decodable>: Decodable {
    var data: Data?
    var errors: [JSONValue]?
}
