#if ServerTLS
internal import NIOCore
internal import NIOSSL

/// Encrypts the connections that a server accepts.
struct ServerTLS: Sendable {
    /// The name of the TLS handler in a pipeline.
    static let handlerName = "TLS"

    private let context: NIOSSLContext

    /// Creates TLS with a certificate; offers HTTP/2 by ALPN if requested.
    init(_ chain: CertificateChain, offersHTTP2: Bool) throws {
        var configuration = NIOSSL.TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(chain.leaf.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(chain.key.utf8), format: .pem)))
        configuration.applicationProtocols = offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
    }

    func makeHandler() -> any ChannelHandler { NIOSSLServerHandler(context: context) }
}
#elseif Server
internal import NIOCore

/// A placeholder without cases, for builds without the trait `ServerTLS`.
enum ServerTLS: Sendable {
    static let handlerName = "TLS"

    init(_ chain: CertificateChain, offersHTTP2: Bool) throws {
        throw TestServerError(
            "this server was built without TLS; add the trait ServerTLS to the dependency on swift-net: "
                + "traits: [.defaults, \"ServerTLS\"]")
    }

    func makeHandler() -> any ChannelHandler { switch self {} }
}
#endif
