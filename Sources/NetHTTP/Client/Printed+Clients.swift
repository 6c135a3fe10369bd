internal import HTTPTypes
internal import NetCore

// How types that hold a request, a credential or somebody's own types are printed and dumped: by mirrors that leave those
// out, because nobody knows what they hold.

extension AuthMiddleware: CustomReflectable {
    /// Without the provider.
    public var customMirror: Mirror {
        Mirror(self, children: ["scope": scope, "challenges": challenges.sorted()], displayStyle: .struct)
    }
}

extension RefreshingCredentials: CustomReflectable {
    /// Without parts.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RefreshingCredentials.Configuration: CustomReflectable {
    /// Without the store and the lock.
    public var customMirror: Mirror {
        Mirror(self, children: ["renewsAhead": renewsAhead, "timeout": timeout], displayStyle: .struct)
    }
}

extension LoggingMiddleware: CustomReflectable {
    /// Without the logger, whose metadata may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["detail": detail], displayStyle: .struct) }
}

extension DigestMiddleware: CustomReflectable {
    /// Without user and password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "scope": scope, "minimumAlgorithm": minimumAlgorithm, "prefersIntegrity": prefersIntegrity,
            ], displayStyle: .struct)
    }
}

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

extension PageSequence: CustomReflectable {
    /// Without the request.
    public var customMirror: Mirror { Mirror(self, children: ["limit": limit], displayStyle: .struct) }
}

extension PageSequence.AsyncIterator: CustomReflectable {
    /// Without parts.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Paging.Step: CustomReflectable {
    /// The URL or item without secrets.
    public var customMirror: Mirror {
        switch self {
        case .end: Mirror(self, children: [:], displayStyle: .enum)
        case .url(let url): Mirror(self, children: ["url": Printed.url(url)], displayStyle: .enum)
        case .item(let name, let value):
            Mirror(self, children: ["item": QueryItem(name, value as String?)], displayStyle: .enum)
        }
    }
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
