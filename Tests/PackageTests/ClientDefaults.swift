import NetCore
import NetHTTP
import NetTesting

/// The defaults of retries, caches, credentials, signatures and probes, as listed in docs/defaults.md.
enum ClientDefaults {
    static var rows: [String: String] {
        let cache = CacheMiddleware.Configuration()
        let probe = CaptivePortalProbe(url: "http://h/")
        let signature = MessageSignature(key: SignatureKey(sharedSecret: Bytes("k".utf8)))
        var rows = [
            "Backoff.growth": "\(Backoff().growth)",
            "Backoff.decorrelated.factor": "\(Int(Backoff.decorrelated().factor))",
            "CacheMiddleware.Configuration.keyURL": cache.keyURL == nil ? "none" : "some",
            "CacheMiddleware.Configuration.onlyReads": cache.onlyReads == nil ? "none" : "some",
            "ConnectionConfiguration.dnsOverHTTPS": ConnectionConfiguration().dnsOverHTTPS ?? "none",
            "CaptivePortalProbe.status": "\(probe.status)",
            "CaptivePortalProbe.timeout": DefaultsTests.text(probe.timeout),
            "CaptivePortalProbe.maximumResponseBytes": DefaultsTests.bytes(CaptivePortalProbe.maximumResponseBytes),
            "HARListener.maximumExchanges": "\(HARListener().maximumExchanges)",
            "HARListener.maximumBytes": DefaultsTests.bytes(HARListener().maximumBytes),
            "NameScript.maximumQuestions": "\(NameScript.maximumQuestions)",
            "NetworkMonitor.Configuration.settling": DefaultsTests.text(NetworkMonitor.Configuration().settling),
            "NetworkMonitor.Configuration.sysfs": NetworkMonitor.Configuration().sysfs,
            "MessageSignature.components": signature.components.map(\.description).joined(separator: ", "),
            "MessageSignature.label": signature.label,
            "MessageSignature.lifetime": DefaultsTests.text(signature.lifetime),
            "AWSSignature.payload": AWSSignature(service: "sqs", region: "x").payload == .hashed ? "hashed" : "other",
        ]
        #if os(Linux)
        let curl = CurlTransport.Configuration()
        rows["CurlTransport.Configuration.network"] = curl.network == nil ? "none" : "some"
        rows["CurlTransport.Configuration.negotiateOrigins"] = curl.negotiateOrigins.isEmpty ? "none" : "some"
        #endif
        return rows
    }
}
