#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension NetError {
    /// Returns the error of a server that can't listen on an address.
    ///
    /// - Parameters:
    ///   - host: The host of the configuration, an IPv6 address without brackets.
    ///   - port: The port of the configuration.
    ///   - systemError: The system's error number.
    ///   - underlying: The error of the call that failed.
    package static func notListening(
        host: String, port: Int, systemError: CInt, underlying: any Error
    ) -> NetError {
        let host = host.contains(":") ? "[\(host)]" : host
        let hint =
            switch systemError {
            case EADDRINUSE: "another program uses that port; end it, or choose another port (0 picks a free one)"
            case EACCES: "ports below 1024 need a privilege; choose another port"
            case EADDRNOTAVAIL: "this machine doesn't have that address"
            default: "check the host and the port"
            }
        return NetError(
            .connect, phase: .connecting, message: "the server can't listen on \(host):\(port): \(hint)",
            underlying: underlying)
    }
}
