#if Server
internal import HTTPTypes
internal import NetCore
internal import NetSocketCore

/// A handshake that was accepted.
struct Admission: Sendable {
    var wire: SocketWire
    var identity: Identity
    /// False if the client has yet to say who it is.
    var isKnown: Bool
}

extension ServerCore {
    /// The wire of a path. Throws a refusal with 404.
    func wire(for path: String) throws(SocketRefusal) -> SocketWire {
        guard let wire = configuration.wires[path] ?? configuration.wires["*"] else {
            throw SocketRefusal(.notFound, "There is no WebSocket here.")
        }
        return wire
    }

    /// Finds out who a client is.
    func admit(_ handshake: SocketHandshake) async throws(SocketRefusal) -> Admission {
        let wire = try wire(for: handshake.path)
        guard phase == .running else { throw Self.unavailable }
        guard let authenticate else {
            guard let anonymous else {
                return Admission(wire: wire, identity: Identity(principal: Unidentified()), isKnown: false)
            }
            return Admission(wire: wire, identity: anonymous, isKnown: true)
        }
        let identity: Identity?
        do {
            identity = try await authenticate(handshake)
        } catch let refusal as SocketRefusal {
            throw refusal
        } catch let failure as SocketFailure {
            throw SocketRefusal(.forbidden, failure.message)
        } catch {
            let reference = reference(to: error, in: "authenticate")
            throw SocketRefusal(.forbidden, "The connection is refused. Its reference is \(reference).")
        }
        guard let identity else {
            throw SocketRefusal(
                .unauthorized, "The credentials are missing or not accepted.", headers: [.wwwAuthenticate: "Bearer"])
        }
        return Admission(wire: wire, identity: identity, isKnown: true)
    }

    static let unavailable = SocketRefusal(
        .serviceUnavailable, "The server is going away.", headers: [.retryAfter: "5"])
}

/// Stands for a client that hasn't said who it is.
struct Unidentified: Sendable {}
#endif
