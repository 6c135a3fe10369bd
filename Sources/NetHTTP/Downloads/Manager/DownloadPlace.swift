internal import NetCore

/// Where a file comes from: what tells two downloads of one file, and what a host's cap counts by.
struct DownloadPlace: Sendable, Hashable {
    /// The URL in one spelling, without a fragment.
    let url: String
    /// The host and port.
    let host: String

    /// Throws `.invalidURL` for anything but an absolute URL of `http` or `https`.
    init(_ url: String) throws(DownloadError) {
        do {
            let base = try BaseURL(url)
            guard !base.isWebSocket else {
                throw NetError(.invalidRequest, phase: .preparing, message: "its scheme is that of a WebSocket")
            }
            host = base.authority.lowercased()
            let text = base.urlText
            self.url = "\(base.scheme)://\(host)" + text.dropFirst(base.scheme.utf8.count + 3 + base.authority.count)
        } catch let error as NetError {
            throw DownloadError(
                .invalidURL, message: "the URL can't be downloaded: \(error.message); give an http or https URL",
                url: url)
        } catch {
            throw DownloadError(
                .invalidURL, message: "the URL can't be downloaded; give an http or https URL", url: url)
        }
    }
}
