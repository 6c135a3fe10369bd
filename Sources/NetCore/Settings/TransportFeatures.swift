/// The library that a transport uses and its features, determined at run time.
package struct TransportFeatures: Sendable, Hashable {
    /// A feature of a library; an open set.
    package struct Feature: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        package var description: String { rawValue }

        /// TLS in any version.
        package static let tls = Feature(rawValue: "TLS")
        /// HTTP/2 (RFC 9113).
        package static let http2 = Feature(rawValue: "HTTP/2")
        /// HTTP/3 (RFC 9114).
        package static let http3 = Feature(rawValue: "HTTP/3")
        /// Alternative services (RFC 7838).
        package static let altSvc = Feature(rawValue: "Alt-Svc")
        /// Connections over TLS to the proxy itself.
        package static let httpsProxy = Feature(rawValue: "HTTPS proxy")
        /// Unix sockets; see ``UnixSocket``.
        package static let unixSockets = Feature(rawValue: "Unix sockets")
        /// IPv6.
        package static let ipv6 = Feature(rawValue: "IPv6")
        /// Name resolution that doesn't block other calls.
        package static let asynchronousDNS = Feature(rawValue: "asynchronous DNS")
        /// Internationalized domain names (RFC 5890).
        package static let internationalNames = Feature(rawValue: "international names")
        /// The Public Suffix List.
        package static let publicSuffixList = Feature(rawValue: "Public Suffix List")
        /// Kerberos authentication (RFC 4559).
        package static let negotiate = Feature(rawValue: "Negotiate")
    }

    /// The library and its version, `libcurl 7.88.1`.
    package var library: String
    /// The TLS library and its version, `OpenSSL/3.0.19`; nil without TLS.
    package var tlsLibrary: String?
    /// The features of the library.
    package var features: Set<Feature>

    package init(library: String, tlsLibrary: String?, features: Set<Feature>) {
        self.library = library
        self.tlsLibrary = tlsLibrary
        self.features = features
    }

    /// Returns true if the library has a feature.
    package func contains(_ feature: Feature) -> Bool { features.contains(feature) }

    /// Throws `.unsupported`, which names the setting, the feature and the library, if the library lacks the feature.
    package func require(_ feature: Feature, for setting: String) throws(NetError) {
        if contains(feature) { return }
        throw NetError(
            .unsupported, phase: .preparing,
            message: "\(setting) needs \(feature), which this \(library) was built without; install another build of it"
        )
    }
}

extension TransportFeatures: CustomStringConvertible {
    /// `libcurl 7.88.1, OpenSSL/3.0.19: HTTP/2, IPv6, …`
    package var description: String {
        ([library] + (tlsLibrary.map { [$0] } ?? [])).joined(separator: ", ") + ": "
            + features.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
