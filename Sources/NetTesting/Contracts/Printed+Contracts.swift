internal import HTTPTypes
internal import NetCore

// Prints and dumps contracts: rules appear by name, without their values, which may be secrets.

extension Contract: CustomReflectable {
    /// The name, the kind and the expectations.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "isStrict": isStrict, "isOrdered": isOrdered, "expectations": expectations,
            ], displayStyle: .struct)
    }
}

extension Contract.Expectation: CustomReflectable {
    /// The expected request, without the values of its rules, and the outcome.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "method": method?.rawValue as Any, "path": path as Any, "query": query.keys.sorted(),
                "fields": headers.keys.map(\.rawName).sorted(), "times": times, "outcome": outcome,
            ], displayStyle: .struct)
    }
}

extension Contract.Response: CustomReflectable {
    /// The header fields without secrets, and the size of the body.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["status": status.code, "headers": Printed.headers(headers), "body": body],
            displayStyle: .struct)
    }
}

extension Contract.ValueRule: CustomReflectable {
    /// The kind of the rule.
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .enum) }
}

extension Contract.BodyRule: CustomReflectable {
    /// The kind of the rule.
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .enum) }
}
