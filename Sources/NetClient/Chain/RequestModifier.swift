public import NetCore

/// Changes requests before they are sent, without waiting for anything: a ``NetCore/Middleware`` that needs no `async`.
///
/// ``HTTPClient/Configuration/modifiers`` run in their order, once for each call, after the request was built and before all
/// middleware. So ``HTTPClient/prepare(_:)`` shows what they do, and what they add of credentials stays behind when a redirect
/// leads to another origin. What a middleware adds, it adds again at each hop.
///
///     struct Version: RequestModifier {
///         func modify(_ request: inout PreparedRequest) {
///             request.head.headerFields[.accept] = "application/vnd.example.v2+json"
///         }
///     }
///     let configuration = HTTPClient.Configuration(baseURL: "https://api.example.com", modifiers: [Version()])
public protocol RequestModifier: Sendable {
    /// Changes the request. What it throws ends the call as `.middleware`, with this type's name; a `NetError` or `APIError`
    /// keeps its code, and a `CancellationError` is `.cancelled`.
    func modify(_ request: inout PreparedRequest) throws
}

extension PreparedRequest {
    /// The request as the modifiers leave it.
    package func modified(by modifiers: [any RequestModifier]) throws(NetError) -> PreparedRequest {
        guard !modifiers.isEmpty else { return self }
        var request = self
        for modifier in modifiers {
            do {
                try modifier.modify(&request)
            } catch {
                if let error = NetError(ours: error) { throw error }
                throw NetError(
                    error is CancellationError ? .cancelled : .middleware, phase: .preparing,
                    message: "\(type(of: modifier)) failed: \(ErrorSummary.describe(error))", underlying: error)
            }
        }
        return request
    }
}
