#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// What is printed hides secrets; the properties keep them for whoever asks.
extension LoggedRequest: CustomStringConvertible, CustomReflectable {
    /// One line: number, request, status and outcome. Of a body that the log does not keep whole only the size is shown.
    public var description: String {
        "\(number). \(request), answered \(status.map(String.init) ?? "nothing"), \(outcome)"
    }

    /// What `dump` and a failing `#expect` show: the same, in parts.
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
