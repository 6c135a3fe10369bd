internal import NetClient
package import NetCore

/// The logins of work that consists of several calls.
extension HTTPClient: LoginKnowing {
    package func login(of request: PreparedRequest) async -> CallLogin? { await core.login(of: request) }

    /// Returns the logins that the client's credentials for a URL belong to now; nil if there are none.
    func login(ofTransferFrom url: String) async -> CallLogin? {
        let options = RequestOptions { $0.absoluteURL = url }
        guard let request = try? prepare(Request<Bytes>("", options: options, serializer: .bytes)) else { return nil }
        return await login(of: request)
    }
}
