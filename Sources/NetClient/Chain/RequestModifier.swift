public import NetCore

/// Changes requests synchronously before they are sent; a simpler alternative to ``NetCore/Middleware``.
///
/// The modifiers in `HTTPClient.Configuration.modifiers` run in order, once per call, after the request is built and
/// before all middleware. Therefore `HTTPClient.prepare(_:)` shows their changes, and credentials that they add aren't
/// sent to another origin by a redirect. Middleware, in contrast, runs again at each hop.
///
///     struct Version: RequestModifier {
///         func modify(_ request: inout PreparedRequest) {
///             request.head.headerFields[.accept] = "application/vnd.example.v2+json"
///         }
///     }
///     let configuration = HTTPClient.Configuration(baseURL: "https://api.example.com", modifiers: [Version()])
public protocol RequestModifier: Sendable {
    /// Changes the request.
    ///
    /// An error ends the call as `.middleware`, with this type's name; a `NetError` or `APIError` keeps its code, and a
    /// `CancellationError` becomes `.cancelled`.
    func modify(_ request: inout PreparedRequest) throws
}

extension PreparedRequest {
    /// Returns the request after all modifiers were applied.
    package func modified(by modifiers: [any RequestModifier]) throws(NetError) -> PreparedRequest {
        guard !modifiers.isEmpty else { return self }
        var request = self
        for modifier in modifiers {
            do {
                try modifier.modify(&request)
            } catch {
                if let error = NetError(error) { throw error }
                throw NetError(
                    error is CancellationError ? .cancelled : .middleware, phase: .preparing,
                    message: "\(type(of: modifier)) failed: \(ErrorSummary.describe(error))", underlying: error)
            }
        }
        return request
    }
}
