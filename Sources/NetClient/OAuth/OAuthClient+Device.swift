public import NetCore

extension OAuthClient {
    /// Begins a login on another device (RFC 8628), for programs without a browser.
    ///
    ///     let oauth = OAuthClient(tokenURL: "token", clientID: "tv", client: client)
    ///     let device = try await oauth.device(at: "device_authorization", scopes: ["read"])
    ///     print("Open \(device.page) and enter \(device.userCode)")
    ///     let token = try await oauth.token(for: device)
    ///     print(token.scope ?? "read")
    ///
    /// Throws like ``clientCredentials(scopes:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the device authorization endpoint, absolute or relative to the client's base URL.
    ///   - scopes: The scopes to ask for. Default none.
    public func device(
        at endpoint: String, scopes: [String] = []
    ) async throws(APIError<OAuthError>) -> OAuthDevice {
        let response: OAuthDeviceResponse = try await post(
            scope(scopes), to: OAuthEndpoint(text: endpoint), name: "oauth-device")
        return response.device(receivedAt: clock.now())
    }

    /// Waits until the user has allowed or refused the login, and returns the token.
    ///
    /// Polls once in each ``OAuthDevice/interval``, 5 s more after each `slow_down`. The interval doubles after each
    /// failed request: a timeout, a lost connection, or a server in trouble (429 or 5xx).
    ///
    /// Throws `.rejected` if the user refuses (`access_denied`), and `.failed` with the code `.timeout` if the user's
    /// time is over. Cancelling the task ends the wait.
    public func token(for device: OAuthDevice) async throws(APIError<OAuthError>) -> OAuthToken {
        let form: QueryItems = [
            QueryItem("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
            QueryItem("device_code", device.code),
        ]
        let end = device.received + device.lifetime
        var interval = device.interval
        while true {
            guard clock.now() + interval <= end else {
                throw .failed(
                    NetError(
                        .timeout, phase: .middleware,
                        message: "the user didn't allow the login within \(device.lifetime.seconds(places: 0)) s"))
            }
            do {
                try await clock.sleep(for: interval)
            } catch {
                throw .failed(NetError(.cancelled, phase: .middleware, message: "the login was cancelled"))
            }
            do throws(APIError<OAuthError>) {
                return try await token(form)
            } catch {
                interval = try next(after: error, interval)
            }
        }
    }

    /// Returns the pause before the next request; throws an error that ends the login.
    private func next(
        after error: APIError<OAuthError>, _ interval: Duration
    ) throws(APIError<OAuthError>) -> Duration {
        if case .rejected(let refusal, _) = error {
            if refusal.error == "authorization_pending" { return interval }
            if refusal.error == "slow_down" { return interval + .seconds(5) }
        }
        let isInTrouble = error.status.map { $0 >= 500 || $0 == 429 } ?? false
        guard error.isTimeout || error.isConnectivity || isInTrouble else { throw error }
        return min(interval * 2, .seconds(1e9))
    }
}
