// Mirrors with hidden secrets, which determine how the parts of requests and responses are printed and dumped.

extension WebSocketRequest: CustomReflectable {
    /// The URL and the headers without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": HandshakeRequest(self).target(nil), "headers": Printed.headers(headers),
                "subprotocols": subprotocols, "maximumMessageBytes": maximumMessageBytes,
            ], displayStyle: .struct)
    }
}

extension QueryItem: CustomReflectable {
    /// The name and the value; the value is hidden if the name identifies a secret.
    public var customMirror: Mirror {
        let value = value.map { Printed.value($0, named: name) }
        return Mirror(self, children: ["name": name, "value": value as Any], displayStyle: .struct)
    }
}

extension Path: CustomReflectable {
    /// The path without secrets.
    public var customMirror: Mirror { Mirror(self, children: ["encoded": Printed.url(encoded)], displayStyle: .struct) }
}

extension WebSocketMessage: CustomReflectable {
    /// The text with secrets in JSON hidden, or the number of bytes.
    public var customMirror: Mirror {
        switch self {
        case .text(let text): Mirror(self, children: ["text": Printed.text(text)], displayStyle: .enum)
        case .binary(let bytes): Mirror(self, children: ["binary": bytes], displayStyle: .enum)
        }
    }
}

extension ServerSentEvent: CustomReflectable {
    /// The event, with secrets in JSON data hidden.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "event": event, "data": Printed.text(data), "lastEventID": lastEventID, "retry": retry as Any,
            ], displayStyle: .struct)
    }
}

extension LinkHeader.Link: CustomReflectable {
    /// The target without secrets, relations and parameters.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["target": Printed.url(target), "relations": relations, "parameters": parameters],
            displayStyle: .struct)
    }
}

extension MultipartParts.Part: CustomReflectable {
    /// The headers without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["headers": Printed.headers(headers)], displayStyle: .struct)
    }
}

extension MultipartParser.Event: CustomReflectable {
    /// The headers without secrets, or the number of bytes.
    public var customMirror: Mirror {
        switch self {
        case .part(let headers): Mirror(self, children: ["part": Printed.headers(headers)], displayStyle: .enum)
        case .body(let bytes): Mirror(self, children: ["body": bytes], displayStyle: .enum)
        case .partEnd: Mirror(self, children: [:], displayStyle: .enum)
        }
    }
}

extension RequestBody.Resolved: CustomReflectable {
    /// The content, the content type, and the headers without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "content": content, "contentType": contentType as Any, "headers": Printed.headers(headers),
            ], displayStyle: .struct)
    }
}

extension RedirectDecision: CustomReflectable {
    /// The request or the error, printed by their own mirrors.
    public var customMirror: Mirror {
        switch self {
        case .stop: Mirror(self, children: [:], displayStyle: .enum)
        case .follow(let request, _): Mirror(self, children: ["follow": request], displayStyle: .enum)
        case .fail(let error): Mirror(self, children: ["fail": error], displayStyle: .enum)
        }
    }
}

extension ResponseBody.Whole: CustomReflectable {
    /// The size of the body, and the trailers without secrets.
    var customMirror: Mirror {
        Mirror(self, children: ["bytes": bytes, "trailers": trailers.map(Printed.headers) as Any])
    }
}

extension CallContext.Environment: CustomReflectable {
    /// Empty: listeners and the logger's metadata may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ProblemDetails: CustomReflectable {
    /// The members; extension members are hidden if their names identify secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "type": Printed.url(type), "title": title as Any, "status": status as Any, "detail": detail as Any,
                "instance": instance.map(Printed.url) as Any, "extensions": Printed.members(extensions),
            ], displayStyle: .struct)
    }
}

extension JSONValue: CustomStringConvertible, CustomReflectable {
    /// The value as JSON, with members sorted by name. Members whose names identify secrets are hidden.
    public var description: String { redacted(by: .safeDefault).compact ?? "invalid JSON" }

    /// The value. Members of objects are hidden if their names identify secrets.
    public var customMirror: Mirror {
        let (label, value): (String, Any) =
            switch self {
            case .null: ("null", "null")
            case .bool(let value): ("bool", value)
            case .integer(let value): ("integer", value)
            case .unsigned(let value): ("unsigned", value)
            case .number(let value): ("number", value)
            case .decimal(let value): ("decimal", value)
            case .string(let text): ("string", Printed.text(text))
            case .array(let elements): ("array", elements)
            case .object(let members): ("object", Printed.members(members))
            }
        return Mirror(self, children: self == .null ? [] : [(label: label, value: value)], displayStyle: .enum)
    }
}
