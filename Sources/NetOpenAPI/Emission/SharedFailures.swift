/// The failures that several operations share: one enumeration for all of them, instead of one per operation.
struct SharedFailures: Sendable {
    struct Group: Sendable {
        var responses: [ResponseModel]
        /// The Swift name.
        var name: String
    }

    private struct Signature: Hashable {
        let parts: [Part]

        struct Part: Hashable {
            let status: ResponseModel.Status
            let content: ResponseModel.Content
            /// Nil unless the media type selects the case.
            let contentType: String?
        }

        init(_ responses: [ResponseModel]) {
            parts = responses.map { response in
                let decides = responses.contains { $0.status == response.status && $0.variant != nil }
                return Part(
                    status: response.status, content: response.content,
                    contentType: decides ? response.contentType : nil)
            }
        }
    }

    private(set) var groups: [Group] = []
    /// The group of an operation, by the operation's index.
    private(set) var groupOf: [Int: Int] = [:]

    init(_ model: APIModel) {
        var places: [Signature: [Int]] = [:]
        var order: [Signature] = []
        for (index, operation) in model.operations.enumerated() where operation.hasFailureCases {
            let signature = Signature(operation.failures)
            if places[signature] == nil { order.append(signature) }
            places[signature, default: []].append(index)
        }
        for signature in order {
            guard let operations = places[signature], operations.count > 1 else { continue }
            for index in operations { groupOf[index] = groups.count }
            groups.append(Group(responses: model.operations[operations[0]].failures, name: ""))
        }
    }

    mutating func claimNames(_ prefix: String, in scope: inout NameScope) {
        for place in groups.indices {
            groups[place].name = scope.claim(prefix + Self.name(of: groups[place].responses))
        }
    }

    /// Returns the name of a group from its statuses, such as `Failure401_404`.
    private static func name(of responses: [ResponseModel]) -> String {
        let statuses = responses.filter { $0.variant == nil }.map { response in
            switch response.status {
            case .code(let code): String(code)
            case .range(let digit): "\(digit)XX"
            case .other: "Other"
            }
        }
        let shown = statuses.count > 4 ? Array(statuses.prefix(3)) + ["More"] : statuses
        return "Failure" + shown.joined(separator: "_")
    }
}

extension OperationModel {
    /// True if its failures differ, so that an enumeration has to distinguish them.
    var hasFailureCases: Bool {
        let contents = Set(failures.map(\.content))
        guard let first = contents.first else { return false }
        return contents.count > 1 || first == .none || !first.isCollected
    }
}
