#if Tools
internal import NetHTTP
extension DownloadManager {
    init(client: HTTPClient, configuration: Configuration) {
        self.init(
            client: client, configuration: configuration,
            open: { () throws(DownloadError) in throw DownloadError(.fileSystem, message: "x") })
    }
}
#endif
