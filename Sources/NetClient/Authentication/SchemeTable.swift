internal import NetCore

/// The providers of a client's security schemes.
struct SchemeTable: Sendable {
    /// The providers by the names of their schemes.
    let sources: [String: CredentialSource]
    /// The requirements of a request that doesn't specify any.
    let unstated: SecurityRequirements

    private func requirements(of request: PreparedRequest) -> SecurityRequirements {
        request.options.metadata.security ?? unstated
    }

    /// Returns the sources whose credentials a request may get, each once.
    func candidates(for request: PreparedRequest) -> [CredentialSource] {
        let names = requirements(of: request).alternatives.joined().map(\.name)
        return Set(names).sorted().compactMap { sources[$0] }
    }

    /// Returns the providers and credentials of the first alternative that can be met; throws if there is none.
    func chosen(
        for request: PreparedRequest, _ context: CallContext
    ) async throws -> [(CredentialSource, Credential)] {
        let requirements = requirements(of: request)
        guard !requirements.alternatives.isEmpty else { return [] }
        // Each provider is asked once, however many alternatives name it.
        var asked: [String: Credential?] = [:]
        for alternative in requirements.alternatives where alternative.allSatisfy({ sources[$0.name] != nil }) {
            var chosen: [(CredentialSource, Credential)] = []
            for scheme in alternative {
                guard let source = sources[scheme.name] else { break }
                if asked[scheme.name] == nil {
                    asked[scheme.name] = .some(try await source.credential(for: request, during: context))
                }
                guard let known = asked[scheme.name], let credential = known else { break }
                chosen.append((source, credential))
            }
            if chosen.count == alternative.count { return chosen }
        }
        let names = Set(requirements.alternatives.joined().map(\.name))
        let missing = names.filter { name in asked[name].map { $0 == nil } ?? (sources[name] == nil) }
        let unmet = UnmetSecurityRequirements(requirements: requirements, missing: missing.sorted())
        throw context.error(
            .authentication, phase: .middleware, message: unmet.description, underlying: unmet)
    }
}
