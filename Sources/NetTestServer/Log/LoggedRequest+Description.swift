#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// The printed form hides secrets; the properties keep them.
extension LoggedRequest: CustomStringConvertible, CustomReflectable {
    /// One line: number, request, status and outcome. If the log keeps only part of a body, only the body's size is
    /// shown.
    public var description: String {
        "\(number). \(request), answered \(status.map(String.init) ?? "nothing"), \(outcome)"
    }

    /// The value as shown by `dump` and by a failing `#expect`, in parts.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "number": number, "connection": connection, "stream": stream as Any, "version": version,
                "request": request, "bodyBytes": bodyBytes, "stub": stub as Any, "status": status as Any,
                "bytesWritten": bytesWritten, "start": start, "end": end as Any, "outcome": outcome,
            ])
    }

    private var request: StubRequest {
        StubRequest(method: method, target: target, authority: authority, headers: headers, body: body)
    }
}
#endif
