#if Redis && ServerTLS
internal import NIOCore
internal import NIOSSL
internal import NetCore

/// Encrypts the connection to a broker, and verifies the broker's certificate.
struct RedisTLS: Sendable {
    private let context: NIOSSLContext
    /// nil for an IP address, which the certificate has to contain instead.
    private let name: String?

    /// - Parameter trustRoots: The path of a PEM file with the trusted certificate authorities; nil for those of the
    ///   system.
    init(_ address: RedisAddress, trustRoots: String?) throws(NetError) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .fullVerification
        do {
            if let trustRoots {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(trustRoots))
            }
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw NetError(
                .tls, phase: .preparing,
                message: "the trusted certificates for the broker at \(address) can't be used "
                    + "(\(trustRoots ?? "the system's")): \(error)", underlying: error)
        }
        name = Authority.isAddress(address.host) ? nil : address.host
    }

    func makeHandler() throws -> any ChannelHandler {
        try NIOSSLClientHandler(context: context, serverHostname: name)
    }

    /// Returns the error of a failed TLS handshake; nil for other errors.
    static func error(_ error: any Error, from address: RedisAddress) -> NetError? {
        guard address.isSecure, error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError else {
            return nil
        }
        if let error = error as? NIOSSLError, case .uncleanShutdown = error { return nil }
        return NetError(
            .tls, phase: .securing,
            message: "no secure connection to the broker at \(address): \(error); check that it listens for TLS there, "
                + "that its certificate names the host, and that its authority is trusted", underlying: error)
    }
}
#elseif Redis
internal import NIOCore
internal import NetCore

/// An empty stand-in when the trait for TLS isn't enabled.
enum RedisTLS: Sendable {
    init(_ address: RedisAddress, trustRoots: String?) throws(NetError) {
        throw NetError(
            .unsupported, phase: .preparing,
            message: "the broker at \(address) needs TLS, which this program was built without; add the trait "
                + "ServerTLS to the dependency on swift-net")
    }

    func makeHandler() throws -> any ChannelHandler { switch self {} }

    static func error(_ error: any Error, from address: RedisAddress) -> NetError? { nil }
}
#endif
