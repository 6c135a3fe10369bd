#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore

extension TransferMetrics {
    /// Creates metrics from URLSession's; values that URLSession doesn't provide are nil. `total` and the sizes are
    /// counted by the transport.
    init(_ metrics: URLSessionTaskMetrics?, total: Duration, requestBytes: Int64, responseBytes: Int64) {
        self.init(total: total, requestBytes: requestBytes, responseBytes: responseBytes)
        guard let last = metrics?.transactionMetrics.last else { return }
        version = Self.version(ofProtocol: last.networkProtocolName ?? "")
        isReused = last.isReusedConnection
        guard let start = last.fetchStartDate else { return }
        func time(_ date: Date?) -> Duration? {
            date.map { .microseconds(Int64(max(0, $0.timeIntervalSince(start)) * 1e6)) }
        }
        if !isReused {
            resolved = time(last.domainLookupEndDate)
            connected = time(last.connectEndDate)
            secured = time(last.secureConnectionEndDate)
        }
        requestStarted = time(last.requestStartDate)
        requestSent = time(last.requestEndDate)
        firstByte = time(last.responseStartDate)
        #if canImport(Darwin)
        // Never compiled here: Linux's Foundation has no addresses.
        if let address = last.remoteAddress {
            let host = address.contains(":") ? "[\(address)]" : address
            remoteAddress = last.remotePort.map { "\(host):\($0)" } ?? host
        }
        #endif
    }

    /// The version of an ALPN protocol name (RFC 7301 section 6).
    static func version(ofProtocol name: String) -> String {
        switch name {
        case "http/1.0": "1.0"
        case "http/1.1": "1.1"
        case "h2", "h2c": "2"
        case "h3": "3"
        default: ""
        }
    }
}
#endif
