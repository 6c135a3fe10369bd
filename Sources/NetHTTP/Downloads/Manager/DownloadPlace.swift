internal import NetCore

/// The source or target of a transfer. Transfers of the same file have equal places; limits per host count by the
/// place's host.
struct DownloadPlace: Sendable, Hashable {
    /// The normalized URL without a fragment; for an upload, followed by the file's path.
    let url: String
    /// The host and port.
    let host: String

    /// Creates the place of a task from a journal. Several files may be uploaded to one URL.
    init(_ identity: DownloadIdentity) throws(DownloadError) {
        try self.init(identity.url, file: identity.upload?.file)
    }

    /// Throws `.invalidURL` for anything but an absolute URL of `http` or `https`.
    ///
    /// - Parameter file: The path of the file to upload; nil for a download.
    init(_ url: String, file: String? = nil) throws(DownloadError) {
        do {
            let base = try BaseURL(url)
            guard !base.isWebSocket else {
                throw NetError(.invalidRequest, phase: .preparing, message: "its scheme is that of a WebSocket")
            }
            host = base.authority.lowercased()
            let text = base.urlText
            let spelling =
                "\(base.scheme)://\(host)" + text.dropFirst(base.scheme.utf8.count + 3 + base.authority.count)
            self.url = file.map { "\(spelling) \($0)" } ?? spelling
        } catch let error as NetError {
            throw DownloadError(
                .invalidURL, message: "the URL can't be used: \(error.message); give an http or https URL",
                url: url)
        } catch {
            throw DownloadError(
                .invalidURL, message: "the URL can't be used; give an http or https URL", url: url)
        }
    }
}
