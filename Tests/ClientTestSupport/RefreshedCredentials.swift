import HTTPTypes
import NetHTTP

extension RefreshingCredentials {
    /// Returns a renewed credential after the rejection of an arbitrary request.
    func refreshed(from rejected: Credential?) async throws -> Credential? {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "mock.test", path: "/")
        return try await refreshed(from: rejected, for: PreparedRequest(head: head))
    }
}
