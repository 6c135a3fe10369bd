#if Tools
internal import HTTPTypes
internal import NetCore

extension HTTPRequest {
    /// Creates a request for a recorded URL.
    init(method: Method, url: String, headerFields: HTTPFields) {
        let place = URLReference(url)
        self.init(
            method: method, scheme: place.scheme, authority: place.authority,
            path: place.path + (place.query.map { "?\($0)" } ?? ""), headerFields: headerFields)
    }
}
#endif
