#if ServerTLS
internal import NIOCore
internal import NIOSSL
internal import NetCore

/// Encrypts the connections of a listener.
struct ListenerTLS: Sendable {
    private let context: NIOSSLContext

    init(_ settings: SocketServerTLS) throws(NetError) {
        let chain = try Self.read("certificate chain", settings.certificateChainFile) {
            try NIOSSLCertificate.fromPEMFile($0).map { NIOSSLCertificateSource.certificate($0) }
        }
        let key = try Self.read("private key", settings.privateKeyFile) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.applicationProtocols = ["http/1.1"]
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw Self.unusable("the certificate chain and the private key", settings.certificateChainFile, error)
        }
    }

    private static func read<Value>(
        _ what: String, _ path: String, _ body: (String) throws -> Value
    ) throws(NetError) -> Value {
        do { return try body(path) } catch { throw unusable("the \(what)", path, error) }
    }

    private static func unusable(_ what: String, _ path: String, _ error: any Error) -> NetError {
        NetError(
            .tls, phase: .preparing, message: "\(what) of the server can't be used (\(path)): \(error)",
            underlying: error)
    }

    func makeHandler() -> any ChannelHandler { NIOSSLServerHandler(context: context) }
}
#elseif Server
internal import NIOCore
internal import NetCore

/// An empty stand-in when the trait for TLS isn't enabled.
enum ListenerTLS: Sendable {
    init(_ settings: SocketServerTLS) throws(NetError) {
        throw NetError(
            .unsupported, phase: .preparing,
            message: "this server was built without TLS; add the trait ServerTLS to the dependency on swift-net")
    }

    func makeHandler() -> any ChannelHandler { switch self {} }
}
#endif
