#if Server
internal import HTTPTypes
internal import Logging
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// An accepted handshake.
struct Admission: Sendable {
    var wire: SocketWire
    var identity: Identity
    /// False if the client hasn't authenticated yet.
    var isKnown: Bool
    /// The connection's place in the limits, until it is released.
    var ticket: AddressLimits.Ticket
}

extension SocketServerCore {
    /// Performs the checks that don't suspend: the server's phase, the path, the origin, and the limits. The
    /// connection counts from here on, until its ticket is released.
    func check(
        _ handshake: SocketHandshake, _ client: ForwardedAddress
    ) throws(SocketRefusal) -> (SocketWire, AddressLimits.Ticket) {
        let place = HandshakePlace(handshake)
        guard phase == .running else { throw refused(.draining, Self.unavailable, at: place) }
        guard let wire = configuration.wires[handshake.path] ?? configuration.wires["*"] else {
            throw refused(.path, SocketRefusal(.notFound, "There is no WebSocket at this path."), at: place)
        }
        guard configuration.origins.allows(origin: handshake.headers[.origin], host: handshake.host) else {
            throw refused(.origin, SocketRefusal(.forbidden, "Pages from this origin may not connect."), at: place)
        }
        switch admissions.withLock({ $0.connect(client, at: clock.now()) }) {
        case .admit(let ticket): return (wire, ticket)
        case .refuse(let limit, let retryAfter): throw refusal(limit, retryAfter, at: place)
        }
    }

    /// Admits a client without authentication.
    func admission(_ wire: SocketWire, _ ticket: AddressLimits.Ticket) -> Admission {
        let identity = anonymous ?? Identity(principal: Unidentified())
        return Admission(wire: wire, identity: identity, isKnown: anonymous != nil, ticket: ticket)
    }

    /// Takes a place for a client that has to authenticate. Throws if there is none.
    func enter(_ handshake: Authentications.Handshake) throws(SocketRefusal) -> Authentications.ID {
        let deadline = clock.now() + configuration.limits.handshakeTime
        guard let id = authentications.enter(handshake, until: deadline) else {
            throw refused(.connections, later("Too many clients are being authenticated."), at: handshake.place)
        }
        // The server may have begun to drain after the first check; then it hasn't seen this handshake.
        if phase != .running { authentications.abandon(id) { refused(.draining, Self.unavailable, at: $0) } }
        return id
    }

    /// Authenticates a client that has a place, in a task that inherits the caller's task-local values.
    func authenticate(
        _ id: Authentications.ID, _ handshake: SocketHandshake, _ wire: SocketWire, _ ticket: AddressLimits.Ticket,
        _ authenticate: @escaping Authenticate
    ) {
        authentications.start(id) {
            do throws(SocketRefusal) {
                let identity = try await self.identity(of: handshake, authenticate)
                if let user = identity.user { try self.count(user, ticket, at: HandshakePlace(handshake)) }
                return .success(Admission(wire: wire, identity: identity, isKnown: true, ticket: ticket))
            } catch {
                self.release(ticket)
                return .failure(error)
            }
        } unwanted: {
            self.release(ticket)
        }
    }

    /// Authenticates a client and waits for the outcome. Releases the ticket if the client is refused.
    func admit(
        _ handshake: SocketHandshake, _ wire: SocketWire, _ ticket: AddressLimits.Ticket
    ) async throws(SocketRefusal) -> Admission {
        guard let authenticate else { return admission(wire, ticket) }
        let (outcomes, continuation) = AsyncStream.makeStream(of: Authentications.Outcome.self)
        let place = Authentications.Handshake(place: HandshakePlace(handshake)) { outcome in
            continuation.yield(outcome)
            continuation.finish()
        }
        let id: Authentications.ID
        do throws(SocketRefusal) { id = try enter(place) } catch {
            release(ticket)
            throw error
        }
        self.authenticate(id, handshake, wire, ticket, authenticate)
        for await outcome in outcomes { return try outcome.get() }
        // The caller is cancelled.
        authentications.abandon(id) { _ in Self.unavailable }
        throw Self.unavailable
    }

    private func identity(
        of handshake: SocketHandshake, _ authenticate: Authenticate
    ) async throws(SocketRefusal) -> Identity {
        let place = HandshakePlace(handshake)
        let identity: Identity?
        do {
            identity = try await authenticate(handshake)
        } catch let refusal as SocketRefusal {
            throw refused(.unauthorized, refusal, at: place)
        } catch let failure as SocketFailure {
            throw refused(.unauthorized, SocketRefusal(.forbidden, failure.message), at: place)
        } catch {
            let reference = reference(to: error, in: "authenticate")
            throw refused(
                .unauthorized,
                SocketRefusal(.forbidden, "The connection was refused. Its reference is \(reference)."), at: place)
        }
        guard let identity else {
            throw refused(
                .unauthorized,
                SocketRefusal(
                    .unauthorized, "The credentials are missing or were not accepted.",
                    headers: [.wwwAuthenticate: "Bearer"]), at: place)
        }
        return identity
    }

    /// Counts a connection for its user, instead of its former one. Throws if the user has reached its limit.
    func count(
        _ user: String?, _ ticket: AddressLimits.Ticket, at place: HandshakePlace
    ) throws(SocketRefusal) {
        let verdict = admissions.withLock { $0.identify(ticket, as: user) }
        if case .refuse(let limit, let retryAfter) = verdict { throw refusal(limit, retryAfter, at: place) }
    }

    func release(_ ticket: AddressLimits.Ticket) {
        let now = clock.now()
        admissions.withLock { $0.disconnect(ticket, at: now) }
    }

    // MARK: Refusals

    /// Returns the refusal of a client for which there is no room now.
    func later(_ message: String) -> SocketRefusal {
        SocketRefusal(
            .serviceUnavailable, message,
            headers: [.retryAfter: String(AddressLimits.seconds(configuration.limits.retryAfter))])
    }

    static let unavailable = SocketRefusal(
        .serviceUnavailable, "The server is going away.", headers: [.retryAfter: "5"])

    /// Counts, logs and reports a handshake that gets no response, or one that isn't HTTP.
    func note(_ reason: SocketServerMetrics.Refusal, _ text: String) {
        metrics.refused(reason)
        observer?.report(.refused(reason, status: nil))
        logger.info("a handshake was refused", metadata: ["reason": "\(reason.rawValue)", "detail": "\(text)"])
    }

    private func refusal(
        _ limit: AddressLimits.Limit, _ retryAfter: Int, at place: HandshakePlace
    ) -> SocketRefusal {
        let (reason, status, message): (SocketServerMetrics.Refusal, HTTPResponse.Status, String) =
            switch limit {
            case .connections:
                (.connections, .serviceUnavailable, "The server has reached its maximum number of connections.")
            case .connectionsPerAddress:
                (
                    .connectionsPerAddress, .tooManyRequests,
                    "This address has reached its maximum number of connections."
                )
            case .connectionsPerUser:
                (.connectionsPerUser, .tooManyRequests, "This user has reached the maximum number of connections.")
            case .handshakesPerAddress:
                (.handshakesPerAddress, .tooManyRequests, "This address connects too often.")
            }
        return refused(
            reason, SocketRefusal(status, message, headers: [.retryAfter: String(retryAfter)]), at: place)
    }
}

/// The principal of a client that hasn't authenticated yet.
struct Unidentified: Sendable {}
#endif
