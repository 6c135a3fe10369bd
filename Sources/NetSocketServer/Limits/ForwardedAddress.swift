#if Server
package import HTTPTypes
internal import NetCore

/// The address of a client, which may be behind trusted proxies.
package struct ForwardedAddress: Sendable, Hashable {
    /// The address; nil for a client of which only a hidden name is known, and for a client on a Unix domain socket.
    package let address: PeerAddress?
    /// The obfuscated identifier by which a trusted proxy hides the client (RFC 7239 section 6.3), including its
    /// underscore.
    package let name: String?

    package init(_ address: PeerAddress?) { (self.address, name) = (address, nil) }
    package init(hidden name: String) { (address, self.name) = (nil, name) }

    /// The text for logs: the address, the hidden name, or `unix:`.
    package var text: String { address?.description ?? name ?? "unix:" }

    /// The key under which limits by address count the client: an IPv4 address, an IPv6 network of 64 bits, since each
    /// customer has at least that many addresses, or a hidden name. nil if the client has neither an address nor a
    /// name.
    package var limitKey: String? {
        guard let address else { return name }
        return address.isIPv6 ? "\(PeerAddress(high: address.high, low: 0))/64" : address.description
    }

    /// Returns the client of a request.
    ///
    /// The peers are visited from the last to the first, skipping trusted ones: the first one that isn't trusted is
    /// the client. If all are trusted, the farthest one is the client. A proxy that doesn't reveal its peer
    /// (`unknown`) is itself the client. The connection's peer is the client if it isn't trusted, if there is no
    /// header, and if the part of a header that has to be read is malformed.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection's peer; nil for a Unix domain socket.
    ///   - headers: The headers of the request. Several fields of one name are read in order.
    ///   - proxies: The trusted proxies.
    package static func client(peer: PeerAddress?, headers: HTTPFields, proxies: TrustedProxies) -> ForwardedAddress {
        guard proxies.contains(peer) else { return ForwardedAddress(peer) }
        let forwarded = proxies.header == .xForwardedFor ? nil : headers[.forwarded].map { hops($0) }
        let listed = proxies.header == .forwarded ? nil : headers[.xForwardedFor].map { addresses($0) }
        let found = [forwarded, listed].compactMap { $0 }.map { walk($0, peer, proxies) }
        // A client can add the header that its proxy doesn't write.
        guard let first = found.first, found.allSatisfy({ $0 == first }) else { return ForwardedAddress(peer) }
        return first ?? ForwardedAddress(peer)
    }

    /// A proxy's statement about its peer.
    private enum Hop: Equatable {
        case address(PeerAddress)
        case hidden(String)
        case unknown
        case malformed
    }

    /// Returns the client, or nil if a hop that has to be read is malformed. The hops are in the order of the header.
    private static func walk(_ hops: [Hop], _ peer: PeerAddress?, _ proxies: TrustedProxies) -> ForwardedAddress? {
        var client = ForwardedAddress(peer)
        for hop in hops.reversed() {
            switch hop {
            case .address(let address):
                client = ForwardedAddress(address)
                if !proxies.contains(address) { return client }
            case .hidden(let name): return ForwardedAddress(hidden: name)
            case .unknown: return client
            case .malformed: return nil
            }
        }
        return client
    }

    // MARK: Parsing

    /// Parses `Forwarded` (RFC 7239 section 4). If it isn't valid as a whole, the result is a single malformed hop:
    /// after an unterminated quote, the author of the remaining parts is unknown.
    private static func hops(_ text: String) -> [Hop] {
        var reader = FieldValueReader(text)
        var hops: [Hop] = []
        repeat {
            reader.skipBlanks()
            // Empty list elements are ignored (RFC 9110 section 5.6.1.2).
            if reader.isAtElementEnd { continue }
            var peer: Hop?
            repeat {
                reader.skipBlanks()
                guard let name = reader.token(), reader.skip("="), let value = reader.quotedString() ?? reader.token()
                else { return [.malformed] }
                reader.skipBlanks()
                guard name.lowercased() == "for" else { continue }
                // A parameter must not occur twice in an element.
                guard peer == nil else { return [.malformed] }
                peer = node(value)
            } while reader.skip(";")
            guard reader.isAtElementEnd else { return [.malformed] }
            hops.append(peer ?? .unknown)
        } while reader.skip(",")
        return reader.isAtEnd ? hops : [.malformed]
    }

    /// Parses `X-Forwarded-For`: addresses, with the brackets and ports that some proxies add, or `unknown`.
    private static func addresses(_ text: String) -> [Hop] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { element in
            let text = element.trimming { $0 == " " || $0 == "\t" }
            if let address = PeerAddress(text) { return .address(address) }
            if case .hidden = node(String(text)) { return .malformed }
            return node(String(text))
        }
    }

    /// Parses a node (RFC 7239 section 6): an address, `unknown` or a hidden name, each with an optional port. IPv6
    /// addresses have brackets.
    private static func node(_ text: String) -> Hop {
        var (name, port) = (text[...], nil as Substring?)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return .malformed }
            name = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return .malformed }
            if !rest.isEmpty { port = rest.dropFirst() }
            guard isPort(port), let address = PeerAddress(name), name.contains(":") else { return .malformed }
            return .address(address)
        }
        if let colon = text.firstIndex(of: ":") {
            (name, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        guard isPort(port) else { return .malformed }
        if name.lowercased() == "unknown" { return .unknown }
        if isHidden(name) { return .hidden(String(name)) }
        return PeerAddress(name).map { .address($0) } ?? .malformed
    }

    /// Returns true for nil, a port number and a hidden port.
    private static func isPort(_ text: Substring?) -> Bool {
        guard let text else { return true }
        return isHidden(text) || (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    private static func isHidden(_ text: Substring) -> Bool {
        text.utf8.first == UInt8(ascii: "_") && text.utf8.count > 1
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte | 0x20) || "._-".utf8.contains(byte)
            }
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded: Self = "Forwarded"
    fileprivate static let xForwardedFor: Self = "X-Forwarded-For"
}

extension Substring {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = drop(while: isTrimmed)
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
#endif
