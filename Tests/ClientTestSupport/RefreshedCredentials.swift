import HTTPTypes
import NetHTTP

extension RefreshingCredentials {
    /// A renewal after the refusal of a request that doesn't matter.
    func refreshed(from rejected: Credential?) async throws -> Credential? {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "mock.test", path: "/")
        return try await refreshed(from: rejected, for: PreparedRequest(head: head))
    }
}
