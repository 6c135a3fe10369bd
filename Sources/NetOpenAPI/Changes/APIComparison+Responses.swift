extension APIComparison {
    /// The answers of an operation: one that is gone breaks code that names its case, a new one only where the type of
    /// what a call returns becomes another.
    mutating func compareResponses(
        _ left: [ResponseModel], _ right: [ResponseModel], _ place: String, isSuccess: Bool
    ) {
        let kind = isSuccess ? "response" : "failure"
        for response in left {
            let what = "the \(kind) \(response.status.words)"
            guard let other = right.first(where: { $0.status == response.status }) else {
                breaks(place, "\(what) is gone")
                continue
            }
            let before = text(response.content, old)
            let after = text(other.content, new)
            if before != after { breaks(place, "\(what) was \(before) and is \(after)") }
        }
        let wasSeveral = Set(left.map { text($0.content, old) }).count > 1
        let isSeveral = Set(right.map { text($0.content, new) }).count > 1
        for response in right where !left.contains(where: { $0.status == response.status }) {
            let what = "the \(kind) \(response.status.words) is new"
            if isSeveral, !wasSeveral {
                breaks(place, "\(what), so that an enumeration comes back")
            } else {
                adds(place, what)
            }
        }
    }

    private func text(_ content: ResponseModel.Content, _ types: NamedTypes) -> String {
        switch content {
        case .none: "empty"
        case .json(let type): types.text(type)
        case .text: "text"
        case .binary: "bytes"
        case .events(let type): "events of \(type.map(types.text) ?? "text")"
        case .sequence(let type, _): "a sequence of \(types.text(type))"
        }
    }
}
