#if Server
internal import NetCore

/// Checks one value against a schema.
///
/// The work is bounded. The verdict for each pair of schema and part is cached, so that nested unions cost no more than
/// the number of such pairs. A limit ends the check, and a finding then reports that it wasn't finished.
struct SchemaCheck {
    struct Pair: Hashable {
        let schema: SchemaID
        let part: Int
    }

    let set: SchemaSet
    let direction: BodyDirection
    let instance: InstanceTree
    private(set) var findings: [SchemaFinding] = []
    /// The remaining steps.
    private var budget: Int
    private var depth = 0
    /// Above zero while only the verdict matters.
    private(set) var quietness = 0
    private var verdicts: [Pair: Bool] = [:]
    private var active: Set<Pair> = []
    /// Pairs whose errors have been recorded.
    private var told: Set<Pair> = []

    private static let maximumDepth = 600

    private let name: String

    private init(_ set: SchemaSet, _ value: JSONValue, _ direction: BodyDirection, _ budget: Int, name: String = "") {
        (self.set, self.direction, self.budget, self.name) = (set, direction, budget, name)
        instance = InstanceTree(value)
    }

    /// Returns the errors in a value; empty if the schema accepts it. A finding doesn't show the value if its own name,
    /// its member's name or an enclosing name marks it as secret.
    static func findings(
        _ value: JSONValue, _ schema: SchemaID, in set: SchemaSet, _ direction: BodyDirection, name: String = "",
        budget: Int = OpenAPIValidator.maximumSteps
    ) -> [SchemaFinding] {
        var check = SchemaCheck(set, value, direction, budget, name: name)
        _ = check.run(schema, 0)
        if check.instance.isCut || check.budget <= 0 {
            let place = set[schema].place.text
            check.findings.append(
                SchemaFinding(instance: "", schema: place, message: "the value is too large to be checked whole"))
        }
        return check.findings
    }

    /// Indicates whether a schema accepts a value.
    static func accepts(
        _ value: JSONValue, _ schema: SchemaID, in set: SchemaSet, _ direction: BodyDirection
    ) -> Bool {
        var check = SchemaCheck(set, value, direction, 500_000)
        return check.isValid(schema, 0) && check.budget > 0
    }

    /// Indicates whether a schema accepts a part, without recording findings.
    mutating func isValid(_ schema: SchemaID, _ part: Int) -> Bool {
        quietness += 1
        defer { quietness -= 1 }
        return run(schema, part)
    }

    /// Checks a part, and records the errors unless only the verdict matters. Each pair is checked once, so that nested
    /// parts that lead to the same schema don't multiply the work.
    @discardableResult
    mutating func run(_ id: SchemaID, _ part: Int) -> Bool {
        let pair = Pair(schema: id, part: part)
        if let known = verdicts[pair], known || quietness > 0 || told.contains(pair) { return known }
        budget -= 1
        guard budget > 0, depth < Self.maximumDepth, active.insert(pair).inserted else { return true }
        depth += 1
        let verdict = compare(id, part)
        depth -= 1
        active.remove(pair)
        verdicts[pair] = verdict
        if !verdict, quietness == 0 { told.insert(pair) }
        return verdict
    }

    private mutating func compare(_ id: SchemaID, _ part: Int) -> Bool {
        let schema = set[id]
        if schema.isNever { return fail(part, schema, nil, "no value is allowed here") }
        let value = instance.parts[part].value
        if schema.isNullable, value == .null { return true }
        var isGood = checkGeneral(schema, value, part)
        guard isGood || quietness == 0 else { return false }
        switch value {
        case .string(let text): isGood = checkText(schema, text, part) && isGood
        case .array: isGood = checkArray(schema, part) && isGood
        case .object: isGood = checkObject(schema, part) && isGood
        case .integer, .unsigned, .number, .decimal: isGood = checkNumber(schema, value, part) && isGood
        case .null, .bool: break
        }
        guard isGood || quietness == 0 else { return false }
        return checkComposition(schema, part) && isGood
    }

    /// Records that a part violates a keyword. Returns false, for the caller to return.
    mutating func fail(
        _ part: Int, _ schema: Schema, _ keyword: String?, _ message: @autoclosure () -> String
    ) -> Bool {
        if quietness == 0, findings.count < OpenAPIValidator.maximumFindings {
            let place = keyword.map { schema.place.appending($0) } ?? schema.place
            let isShown = keyword == "required" || !isSecret(part)
            let text = isShown ? message() : "the value, which is not shown, violates '\(keyword ?? "false")'"
            findings.append(SchemaFinding(instance: instance.pointer(part), schema: place.text, message: text))
        }
        return false
    }

    private func isSecret(_ part: Int) -> Bool {
        let policy = RedactionPolicy.safeDefault
        var part = part
        while part != 0 {
            if policy.isSensitive(anyName: instance.parts[part].key) { return true }
            part = instance.parts[part].parent
        }
        return policy.isSensitive(anyName: name)
    }

    /// Spends steps on work other than a schema, such as a pattern.
    mutating func spend(_ steps: Int) {
        budget -= steps
    }

    private mutating func checkGeneral(_ schema: Schema, _ value: JSONValue, _ part: Int) -> Bool {
        var isGood = true
        if let types = schema.types, types.isDisjoint(with: JSONTypes(of: value)) {
            isGood = fail(part, schema, "type", "\(value.shown) is not of type \(types.words)")
        }
        if let constant = schema.constant, value.canonical != constant {
            isGood = fail(part, schema, "const", "\(value.shown) is not \(constant.shown)")
        }
        if let enumeration = schema.enumeration, !enumeration.contains(value.canonical) {
            let shown = enumeration.prefix(8).map(\.shown).joined(separator: ", ")
            let more = enumeration.count > 8 ? " and \(enumeration.count - 8) more" : ""
            isGood = fail(part, schema, "enum", "\(value.shown) is not one of \(shown)\(more)")
        }
        return isGood
    }
}
#endif
