#if ServerTLS
internal import NIOCore
internal import NIOSSL

/// Encrypts the connections of a listener.
struct ListenerTLS: Sendable {
    private let context: NIOSSLContext

    init(_ settings: SocketServerTLS) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(settings.certificateChainFile).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: settings.privateKeyFile, format: .pem)))
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
    }

    func makeHandler() -> any ChannelHandler { NIOSSLServerHandler(context: context) }
}
#elseif Server
internal import NIOCore
internal import NetCore

/// Nothing without the trait that compiles it.
enum ListenerTLS: Sendable {
    init(_ settings: SocketServerTLS) throws {
        throw NetError(
            .unsupported, phase: .preparing,
            message: "this server was built without TLS; add the trait ServerTLS to the dependency on swift-net")
    }

    func makeHandler() -> any ChannelHandler { switch self {} }
}
#endif
