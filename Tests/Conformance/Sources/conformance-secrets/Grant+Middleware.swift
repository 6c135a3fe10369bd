import Foundation
import NetCore
import NetHTTP

/// A provider that isn't one of the library's own.
private struct Provider: CredentialProvider {
    let value: Credential

    func credential(for request: PreparedRequest) async throws -> Credential? { value }
}

extension Grant {
    /// The placement of a credential that a provider returns.
    private var placement: CredentialPlacement {
        switch kind {
        case .query: .query(name)
        case .cookie: .cookie(name)
        case .subprotocol: .subprotocol(prefix: name)
        default: .header
        }
    }

    /// Returns the middleware that sends the credential to the origin of the URL.
    func middleware(_ url: String) throws -> [any Middleware] {
        switch kind {
        case .header: [AuthMiddleware(Provider(value: try .apiKey(value, header: name)))]
        case .query, .cookie, .subprotocol: [AuthMiddleware(Provider(value: try .apiKey(value)).placed(placement))]
        case .bearer: [AuthMiddleware(Provider(value: try .bearer(value)))]
        case .basic: [AuthMiddleware(try .basic(user: name, password: value))]
        case .digest: [DigestMiddleware(user: name, password: value)]
        case .signature:
            [MessageSignatureMiddleware(MessageSignature(key: SignatureKey(sharedSecret: Bytes(value.utf8), id: name)))]
        case .aws:
            [
                AWSSignatureMiddleware(
                    AWSSignature(service: "execute-api", region: "eu-central-1"),
                    with: AWSCredentials(accessKeyID: name, secretAccessKey: "made-up", sessionToken: value))
            ]
        case .jar: [CookieMiddleware(try cookies(), identityCookies: [name])]
        case .oauth:
            [
                AuthMiddleware(
                    OAuthClient(
                        tokenURL: "\(url)/token", clientID: name, clientSecret: value, client: HTTPClient(baseURL: url)
                    ).credentials())
            ]
        case .proxy: []
        }
    }

    private func cookies() throws -> CookieStore {
        let store = CookieStore()
        try store.withJar {
            try $0.insert(Cookie(name: name, value: value, domain: "127.0.0.1"), now: Date())
        }
        return store
    }

    /// Returns a transport that sends everything through a proxy, to which it sends the credential.
    func proxied(to url: String, _ outputs: Outputs) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .server(ProxyServer(url, user: name, password: value))
        let transport = CurlTransport(configuration: configuration)
        outputs.print("request", configuration)
        outputs.print("request", transport)
        return transport
    }
}
