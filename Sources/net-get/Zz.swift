#if Tools
internal import NetHTTP
extension DownloadManager { init(client: HTTPClient, configuration: Configuration) { fatalError() } }
#endif
