extension APIComparison {
    /// Compares the responses of an operation. A removed response breaks code that uses its case. A new one is breaking
    /// only if it changes the return type of a call.
    mutating func compareResponses(
        _ left: [ResponseModel], _ right: [ResponseModel], _ place: String, isSuccess: Bool
    ) {
        let kind = isSuccess ? "response" : "failure"
        for response in left {
            let what = "the \(kind) \(response.words)"
            guard let other = right.first(where: { $0.isSame(as: response) }) else {
                breaks(place, "\(what) is gone")
                continue
            }
            let before = text(response.content, old)
            let after = text(other.content, new)
            if before != after { breaks(place, "\(what) was \(before) and is \(after)") }
        }
        let wasSeveral = Set(left.map { text($0.content, old) }).count > 1
        let isSeveral = Set(right.map { text($0.content, new) }).count > 1
        for response in right where !left.contains(where: { $0.isSame(as: response) }) {
            let what = "the \(kind) \(response.words) is new"
            if isSeveral, !wasSeveral {
                breaks(place, "\(what), so an enumeration is returned")
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

extension ResponseModel {
    fileprivate var words: String { status.words + (variant.map { " as \($0)" } ?? "") }

    fileprivate func isSame(as other: ResponseModel) -> Bool { status == other.status && variant == other.variant }
}
