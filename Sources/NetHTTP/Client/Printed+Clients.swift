internal import HTTPTypes
internal import NetCore

// How types that hold a request, a credential or somebody's own types are printed and dumped: by mirrors that leave those
// out, because nobody knows what they hold.

#if os(Linux)
extension CurlTransport: CustomReflectable {
    /// The counters: the settings hold users and passwords of proxies.
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
    /// Without parts.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CacheKey: CustomReflectable {
    /// The URL without secrets.
    public var customMirror: Mirror { Mirror(self, children: ["url": description], displayStyle: .struct) }
}

extension CacheEntry: CustomReflectable {
    /// The fields without secrets, without the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id.rawValue, "key": key, "status": status.code, "fields": Printed.fields(fields), "tags": tags,
                "bodyLength": bodyLength,
            ], displayStyle: .struct)
    }
}
