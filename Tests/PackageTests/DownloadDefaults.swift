import NetCore
import NetHTTP

/// The defaults of downloads, as listed in docs/defaults.md.
enum DownloadDefaults {
    static var rows: [String: String] {
        let manager = DownloadManager.Configuration()
        let request = DownloadRequest("https://example.com/")
        let upload = UploadRequest("/tmp/file", to: "https://example.com/")
        let backoff = manager.retry.backoff
        let waits = "\(DefaultsTests.text(backoff.base)) to \(DefaultsTests.text(backoff.cap))"
        return [
            "DownloadManager.Configuration.folder": manager.folder ?? "none",
            "DownloadManager.Configuration.maximumConcurrent": "\(manager.maximumConcurrent)",
            "DownloadManager.Configuration.maximumPerHost": manager.maximumPerHost.map { "\($0)" } ?? "none",
            "DownloadManager.Configuration.queueLimit": "\(manager.queueLimit)",
            "DownloadManager.Configuration.endedLimit": "\(manager.endedLimit)",
            "DownloadManager.Configuration.keepsFree": "\(manager.keepsFree / 1_000_000) MB",
            "DownloadManager.Configuration.diskSpaceTimeout": DefaultsTests.text(manager.diskSpaceTimeout),
            "DownloadManager.Configuration.restoredHeaders": manager.restoredHeaders == nil ? "none" : "some",
            "DownloadManager.Configuration.retry": "\(manager.retry.maximumAttempts) attempts, \(waits)",
            "DownloadManager.Configuration.retryBudget": manager.retryBudget == nil ? "none" : "some",
            "DownloadManager.Configuration.idleTimeout": DefaultsTests.text(manager.idleTimeout),
            "DownloadManager.Configuration.bytesPerSecond": manager.bytesPerSecond.map { "\($0)" } ?? "none",
            "DownloadManager.Configuration.flushesAtEnd": "\(manager.flushesAtEnd)",
            "DownloadManager.Configuration.layout": "\(manager.layout)",
            "DownloadManager.Configuration.network": manager.network == nil ? "none" : "some",
            "DownloadManager.Configuration.renewedLink": manager.renewedLink == nil ? "none" : "some",
            "DownloadManager.Configuration.logDetail": "\(manager.logDetail)",
            "DownloadManager.Configuration.logLevel": "\(manager.logLevel)",
            "DownloadManager.events": "\(DownloadManager.standardBuffering)",
            "DownloadRequest.priority": request.priority == .normal ? "normal" : "other",
            "DownloadRequest.existing": "\(request.existing)",
            "DownloadRequest.network": "\(request.network)",
            "DownloadRequest.ranges": "\(request.ranges)",
            "DownloadRequest.keepsServerDate": "\(request.keepsServerDate)",
            "UploadRequest.uploadProtocol": "\(upload.uploadProtocol)",
            "UploadRequest.method": upload.method.rawValue,
            "UploadRequest.requestBytes": upload.requestBytes.map { "\($0)" } ?? "none",
            "UploadRequest.sendsDigest": "\(upload.sendsDigest)",
            "UploadRequest.priority": upload.priority == .normal ? "normal" : "other",
            "UploadRequest.network": "\(upload.network)",
        ]
    }
}
