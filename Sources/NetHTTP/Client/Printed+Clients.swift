internal import HTTPTypes
internal import NetCore

// Mirrors for printing and dumping types that contain a request, a credential or an app's own types. They omit those,
// because their content may be secret.

#if os(Linux)
extension CurlTransport: CustomReflectable {
    /// The counters, without the settings, which may contain proxy users and passwords.
    public var customMirror: Mirror { Mirror(self, children: ["statistics": statistics], displayStyle: .struct) }
}
#endif

extension EventSource: CustomReflectable {
    /// The state, without the request.
    public var customMirror: Mirror {
        Mirror(self, children: ["readyState": readyState, "reconnectionTime": reconnectionTime])
    }
}

extension EventSource.AsyncIterator: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CacheKey: CustomReflectable {
    /// The URL without secrets.
    public var customMirror: Mirror { Mirror(self, children: ["url": description], displayStyle: .struct) }
}

extension CacheEntry: CustomReflectable {
    /// The entry without its body, and without secrets in its headers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id.rawValue, "key": key, "status": status.code, "headers": Printed.headers(headers), "tags": tags,
                "bodyLength": bodyLength,
            ], displayStyle: .struct)
    }
}
