/// A comparison of two models from the point of view of a caller of the older one.
struct APIComparison {
    let old: NamedTypes
    let new: NamedTypes
    private(set) var changes: [APIChange] = []

    init(old: APIModel, new: APIModel) {
        self.old = NamedTypes(old)
        self.new = NamedTypes(new)
    }

    mutating func breaks(_ place: String, _ message: String) {
        changes.append(APIChange(isBreaking: true, place: place, message: message))
    }

    mutating func adds(_ place: String, _ message: String) {
        changes.append(APIChange(isBreaking: false, place: place, message: message))
    }

    /// Reports a type that has been replaced by another; does nothing if they are equal.
    mutating func compare(_ left: TypeReference, _ right: TypeReference, _ place: String, _ what: String) {
        let before = old.text(left)
        let after = new.text(right)
        if before != after { breaks(place, "\(what) was \(before) and is \(after)") }
    }

    mutating func compareOperations() {
        func key(_ operation: OperationModel) -> String { "\(operation.method) \(operation.path)" }
        let later = Dictionary(new.model.operations.map { (key($0), $0) }) { first, _ in first }
        let earlier = Set(old.model.operations.map(key))
        for operation in old.model.operations {
            guard let other = later[key(operation)] else {
                breaks(key(operation), "the operation is gone")
                continue
            }
            compare(operation, other, key(operation))
        }
        for operation in new.model.operations where !earlier.contains(key(operation)) {
            adds(key(operation), "the operation is new")
        }
    }

    private mutating func compare(_ left: OperationModel, _ right: OperationModel, _ place: String) {
        if left.identifier != right.identifier {
            breaks(place, "the operation was called '\(left.identifier)' and is called '\(right.identifier)'")
        }
        if !left.documentation.isDeprecated, right.documentation.isDeprecated {
            adds(place, "the operation is deprecated now")
        }
        let (before, after) = (left.servers.first?.url, right.servers.first?.url)
        if before != after {
            let common = "the document's server"
            breaks(place, "the operation was at \(before ?? common) and is at \(after ?? common)")
        }
        compareParameters(left, right, place)
        compareBodies(left.body, right.body, place)
        compareResponses(left.successes, right.successes, place, isSuccess: true)
        compareResponses(left.failures, right.failures, place, isSuccess: false)
    }

    private mutating func compareParameters(_ left: OperationModel, _ right: OperationModel, _ place: String) {
        for parameter in left.parameters {
            let what = "the \(parameter.location.rawValue) parameter '\(parameter.name)'"
            guard
                let other = right.parameters.first(where: {
                    $0.name == parameter.name && $0.location == parameter.location
                })
            else {
                breaks(place, "\(what) is gone")
                continue
            }
            if other.isRequired, !parameter.isRequired { breaks(place, "\(what) is required now") }
            if !other.isRequired, parameter.isRequired { adds(place, "\(what) is optional now") }
            if other.style != parameter.style || other.explode != parameter.explode {
                breaks(place, "\(what) is written in another style")
            }
            compare(parameter.type, other.type, place, what)
        }
        for parameter in right.parameters
        where !left.parameters.contains(where: { $0.name == parameter.name && $0.location == parameter.location }) {
            let what = "the \(parameter.location.rawValue) parameter '\(parameter.name)' is new"
            if parameter.isRequired { breaks(place, what + " and required") } else { adds(place, what) }
        }
    }

    private mutating func compareBodies(_ left: BodyModel?, _ right: BodyModel?, _ place: String) {
        guard let left else {
            guard let right else { return }
            if right.isRequired {
                breaks(place, "a body is required now")
            } else {
                adds(place, "a body can be sent now")
            }
            return
        }
        guard let right else { return breaks(place, "no body is sent anymore") }
        if right.isRequired, !left.isRequired { breaks(place, "the body is required now") }
        if !right.isRequired, left.isRequired { adds(place, "the body is optional now") }
        if left.contentType != right.contentType {
            breaks(place, "the body was \(left.contentType ?? "untyped") and is \(right.contentType ?? "untyped")")
        }
        switch (left.kind, right.kind) {
        case (.json(let one), .json(let other)), (.form(let one, _), .form(let other, _)):
            compare(one, other, place, "the body")
        case (.multipart(let parts), .multipart(let others)): compareParts(parts, others, place)
        case (.text, .text), (.raw, .raw): break
        default: if left.contentType == right.contentType { breaks(place, "the body is of another kind") }
        }
    }

    private mutating func compareParts(_ left: [BodyModel.Part], _ right: [BodyModel.Part], _ place: String) {
        for part in left {
            guard let other = right.first(where: { $0.name == part.name }) else {
                breaks(place, "the part '\(part.name)' is gone")
                continue
            }
            if other.isRequired, !part.isRequired { breaks(place, "the part '\(part.name)' is required now") }
            switch (part.kind, other.kind) {
            case (.value(let one), .value(let another)): compare(one, another, place, "the part '\(part.name)'")
            default: if part.kind != other.kind { breaks(place, "the part '\(part.name)' is of another kind") }
            }
        }
        for part in right where !left.contains(where: { $0.name == part.name }) {
            if part.isRequired {
                breaks(place, "the part '\(part.name)' is new and required")
            } else {
                adds(place, "the part '\(part.name)' is new")
            }
        }
    }
}
