internal import HTTPTypes
internal import NetCore

// Prints and dumps test doubles without their underlying transports, whose settings and headers may be secret. Recorded
// values print themselves.

extension RecordingTransport: CustomReflectable {
    /// The number of exchanges.
    public var customMirror: Mirror { Mirror(self, children: ["recordedCount": recordedCount]) }
}

extension ReplayTransport: CustomReflectable {
    /// The mode and the number of exchanges.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "mode": mode, "recordedCount": recordedCount, "unusedExchanges": unusedExchanges.count,
            ])
    }
}

extension ContractTransport: CustomReflectable {
    /// The report.
    public var customMirror: Mirror { Mirror(self, children: ["report": report]) }
}

extension MockTransport: CustomReflectable {
    /// The uses of the stubs and the requests.
    public var customMirror: Mirror { Mirror(self, children: ["stubUses": stubUses, "journal": journal]) }
}

extension StubMiddleware: CustomReflectable {
    /// The uses of the stubs and the requests.
    public var customMirror: Mirror {
        Mirror(self, children: ["stubUses": stubUses, "journal": journal], displayStyle: .struct)
    }
}

extension MockWebSocketTransport: CustomReflectable {
    /// The requests and the sockets.
    public var customMirror: Mirror { Mirror(self, children: ["requests": requests, "sockets": sockets]) }
}

extension WebSocketStub: CustomReflectable {
    /// The path, the subprotocols, and the header fields without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "path": path, "subprotocols": subprotocols, "headers": Printed.headers(headers),
            ], displayStyle: .struct)
    }
}

extension StubResponse: CustomReflectable {
    /// The header fields without secrets, and the body if it is a fixed value.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status.code, "headers": Printed.headers(headers), "body": body.whole as Any,
                "trailers": trailers.map(Printed.headers) as Any, "delay": delay, "fault": fault as Any,
            ], displayStyle: .struct)
    }
}

extension StubEvent: CustomReflectable {
    /// The event, with the secrets of JSON data hidden.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["data": Printed.text(data), "name": name as Any, "id": id as Any], displayStyle: .struct)
    }
}
