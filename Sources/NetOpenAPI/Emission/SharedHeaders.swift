/// The headers that responses declare: one struct for all operations with the same headers.
struct SharedHeaders: Sendable {
    struct Group: Sendable {
        var headers: [HeaderModel]
        /// The Swift name if several operations share the struct; empty if only one operation uses it.
        var name: String
    }

    private struct Signature: Hashable {
        let name: String
        let type: TypeReference
    }

    private(set) var groups: [Group] = []
    /// The group of an operation, by the operation's index.
    private(set) var groupOf: [Int: Int] = [:]

    init(_ model: APIModel) {
        var places: [[Signature]: Int] = [:]
        var counts: [Int] = []
        for (index, operation) in model.operations.enumerated() {
            let headers = Self.headers(of: operation)
            guard !headers.isEmpty else { continue }
            let signature = headers.map { Signature(name: $0.name.lowercased(), type: $0.type) }
            let place = places[signature] ?? groups.count
            if place == groups.count {
                places[signature] = place
                groups.append(Group(headers: headers, name: ""))
                counts.append(0)
            }
            counts[place] += 1
            groupOf[index] = place
        }
        for place in groups.indices where counts[place] > 1 { groups[place].name = "Headers" }
    }

    mutating func claimNames(_ prefix: String, in scope: inout NameScope) {
        for place in groups.indices where !groups[place].name.isEmpty {
            let first = groups[place].headers.first.map { SwiftIdentifier.upperCamel($0.name) } ?? ""
            groups[place].name = scope.claim(prefix + first + "Headers")
        }
    }

    /// Returns the headers of all responses of an operation without duplicates; if two responses differ, the first
    /// takes precedence.
    private static func headers(of operation: OperationModel) -> [HeaderModel] {
        var names: Set<String> = []
        return (operation.successes + operation.failures).flatMap(\.headers).filter {
            names.insert($0.name.lowercased()).inserted
        }
    }
}
