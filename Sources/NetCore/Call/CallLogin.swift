/// A part of a chain that knows its login without fetching a credential, and so notices when the login changes during a
/// call.
package protocol LoginSource: IdentitySource {
    /// Returns the login that lasts longer than one credential; ``CallIdentity/everyone`` if there is none.
    func login(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity
    /// Returns true if `sent` must not be sent because the login is gone with which the call began.
    ///
    /// - Parameters:
    ///   - began: The login with which the call began, never ``CallIdentity/everyone``.
    ///   - request: The request with which the call began.
    ///   - sent: The request that is about to be sent: another attempt, or a redirect.
    func isGone(
        _ began: CallIdentity, of request: PreparedRequest, sending sent: PreparedRequest, context: CallContext
    ) async throws -> Bool
}

/// The logins with which a call begins. All its attempts and redirects are sent with these or not at all: a login that
/// is renewed stays the same, one that is forgotten or replaced is gone.
///
/// Work that consists of several calls, such as a download that is continued, keeps the logins of its first call.
package struct CallLogin: Sendable {
    private struct Entry: Sendable {
        let source: Source
        let began: CallIdentity
    }

    /// A source of logins among the parts of a chain.
    package struct Source: Sendable {
        private let source: any IdentitySource
        private let holder: (any LoginSource)?
        /// True if it never waits past the end of the call, like the package's own.
        fileprivate let endsWithCall: Bool

        package init(_ source: any IdentitySource, endsWithCall: Bool) {
            self.source = source
            holder = source as? any LoginSource
            self.endsWithCall = endsWithCall
        }

        /// Returns the identity of the credentials that `request` will get.
        package func identity(for request: PreparedRequest, _ context: CallContext) async throws -> CallIdentity {
            let identity = try await lasting(context) { try await source.identity(for: request, context: context) }
            // Nobody here knows the credential, so that it equals no other.
            return identity.isOfCredential ? .unique() : identity
        }

        fileprivate func login(for request: PreparedRequest, _ context: CallContext) async throws -> CallIdentity {
            if let holder {
                return try await lasting(context) { try await holder.login(for: request, context: context) }
            }
            return try await lasting(context) { try await source.identity(for: request, context: context) }.lasting
        }

        fileprivate func isGone(
            _ began: CallIdentity, of request: PreparedRequest, sending sent: PreparedRequest, _ context: CallContext
        ) async throws -> Bool {
            if let holder {
                return try await lasting(context) {
                    try await holder.isGone(began, of: request, sending: sent, context: context)
                }
            }
            // Credentials of a middleware that isn't known here are meant for the first origin.
            guard sent.origin == request.origin else { return false }
            return try await !login(for: request, context).contains(began)
        }

        private func lasting<Value: Sendable>(
            _ context: CallContext, _ ask: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            endsWithCall ? try await ask() : try await context.unlessEnded(.middleware, ask)
        }
    }

    private let request: PreparedRequest
    private let entries: [Entry]

    /// Asks the sources; nil if none of them has a login. A source that fails has none: its middleware meets the same
    /// error at its place in the chain.
    package init?(of request: PreparedRequest, _ context: CallContext, _ sources: [Source]) async {
        var entries: [Entry] = []
        for source in sources {
            guard var began = try? await source.login(for: request, context), began != .everyone else { continue }
            // A source of an app may also return a unique identity each time, so that nothing is shared.
            if !began.isLasting, !source.endsWithCall {
                guard let again = try? await source.login(for: request, context) else { continue }
                began = began.intersection(again)
            }
            if began != .everyone { entries.append(Entry(source: source, began: began)) }
        }
        guard !entries.isEmpty else { return nil }
        (self.request, self.entries) = (request, entries)
    }

    /// The app's names for the logins, in ascending order; empty if one of the logins has no name.
    package var names: [String] {
        let all = entries.reduce(CallIdentity.everyone) { $0.union($1.began) }
        return all.isLasting ? all.names : []
    }

    /// Returns true if two calls began with the same logins, or with none.
    package static func areEqual(_ first: CallLogin?, _ second: CallLogin?) -> Bool {
        (first?.entries.map(\.began) ?? []) == (second?.entries.map(\.began) ?? [])
    }

    /// Throws `.authentication` if one of the logins is gone whose credentials `sent` carries or would get.
    fileprivate func check(_ sent: PreparedRequest, _ context: CallContext) async throws(NetError) {
        for entry in entries {
            let isGone: Bool
            do {
                isGone = try await entry.source.isGone(entry.began, of: request, sending: sent, context)
            } catch {
                throw context.error(error, by: "the source of an identity")
            }
            if isGone {
                throw context.error(
                    .authentication, phase: .middleware, message: Self.gone, underlying: LoginIsGone())
            }
        }
    }

    private static let gone =
        "the login with which this call began is gone: the user has logged out, or another one has logged in; nothing "
        + "more was sent, so repeat the call if it is meant for the present user"
}

/// The cause of an error that ends a call whose user has changed.
package struct LoginIsGone: Error, CustomStringConvertible {
    package var description: String { "the login is gone" }
}

/// A client that knows whose credentials it adds.
package protocol LoginKnowing: APIClient {
    /// Returns the logins that the client's credentials for a request belong to now; nil if there are none.
    func login(of request: PreparedRequest) async -> CallLogin?
}

extension CallContext {
    /// Throws `.authentication` if a login is gone with which the call began and whose credentials `request` carries or
    /// would get.
    package func checkLogin(sending request: PreparedRequest) async throws(NetError) {
        if let login { try await login.check(request, self) }
    }
}
