import Foundation

/// A type of an app that contains one of ours.
private struct Holder {
    let held: Any
    let list: [Any]
    let named: [String: Any]
}

/// Returns the output of every way in which a program can print a value without accessing its parts.
func printed(_ value: Any) -> [(way: String, text: String)] {
    let optional: Any? = value
    let holder = Holder(held: value, list: [value], named: ["value": value])
    var ways = [
        ("describing", String(describing: value)), ("reflecting", String(reflecting: value)),
        ("interpolated", "\(value)"), ("in an optional", String(describing: optional)),
        ("in a list", "\([value])"), ("in a type", "\(holder)"), ("in a type, reflecting", String(reflecting: holder)),
        ("dump", dumped(value)), ("dump of an optional", dumped(optional as Any)), ("dump of a type", dumped(holder)),
        ("mirror", mirrored(value)),
    ]
    if let error = value as? any Error {
        ways += [
            ("localizedDescription", error.localizedDescription), ("NSError", "\(error as NSError)"),
            ("NSError's user info", "\((error as NSError).userInfo)"),
        ]
    }
    return ways.map { (way: $0.0, text: $0.1) }
}

private func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text, maxDepth: 20, maxItems: 5000)
    return text
}

/// Returns the leaves of the mirrors, as debugging tools show them.
private func mirrored(_ value: Any, depth: Int = 0) -> String {
    let mirror = Mirror(reflecting: value)
    guard depth < 12 else { return "" }
    if mirror.children.isEmpty { return String(describing: value) }
    return mirror.children.map { "\($0.label ?? ""): \(mirrored($0.value, depth: depth + 1))" }.joined(separator: "\n")
}
