/// A pass that breaks cycles Swift can't store: structs and enumerations containing values of their own type, and
/// aliases of themselves.
struct RecursionPass {
    var types: [TypeDeclaration]
    let log: DiagnosticLog

    static func run(_ types: inout [TypeDeclaration], log: DiagnosticLog) {
        var pass = RecursionPass(types: types, log: log)
        pass.breakAliases()
        pass.breakUnions()
        pass.markUnions()
        pass.boxProperties()
        types = pass.types
    }

    /// Replaces aliases that contain themselves, such as `typealias Tree = [Tree]`, with free-form JSON.
    private mutating func breakAliases() {
        let edges = types.indices.map { index -> [Int] in
            guard case .alias(let target) = types[index].kind else { return [] }
            return target.named.map { [$0.index] } ?? []
        }
        let groups = StronglyConnected.groups(of: edges)
        for index in types.indices where groups.isCyclic(index, edges) {
            log.add(
                Diagnostic(
                    .warning, "the schema '\(types[index].rawName)' consists only of itself; free-form JSON is used",
                    at: types[index].position))
            types[index].kind = .alias(.json)
        }
    }

    private mutating func markUnions() {
        let edges = types.indices.map { storedDirectly(in: $0) }
        let groups = StronglyConnected.groups(of: edges)
        for index in types.indices where groups.isCyclic(index, edges) {
            guard case .union(var union) = types[index].kind else { continue }
            union.isIndirect = true
            types[index].kind = .union(union)
        }
    }

    private mutating func boxProperties() {
        let edges = types.indices.map { storedDirectly(in: $0) }
        let groups = StronglyConnected.groups(of: edges)
        for index in types.indices where groups.isCyclic(index, edges) {
            guard case .object(var object) = types[index].kind else { continue }
            for place in object.properties.indices {
                let targets = Self.stored(in: object.properties[place].type)
                guard targets.contains(where: { groups.group(of: $0) == groups.group(of: index) }) else { continue }
                object.properties[place].isBoxed = true
            }
            types[index].kind = .object(object)
        }
    }

    /// Returns the types whose values are stored inline in a value of this type.
    private func storedDirectly(in index: Int) -> [Int] {
        switch types[index].kind {
        case .alias(let type): Self.stored(in: type)
        case .object(let object): object.properties.flatMap { Self.stored(in: $0.type) }
        case .union(let union): union.isIndirect ? [] : union.variants.flatMap { Self.stored(in: $0.type) }
        case .enumeration, .pending, .removed: []
        }
    }

    static func stored(in type: TypeReference) -> [Int] {
        switch type {
        case .named(let id): [id.index]
        case .optional(let inner): stored(in: inner)
        case .scalar, .array, .dictionary: []
        }
    }
}

/// The strongly connected components of a graph (Tarjan's algorithm, without recursion).
struct StronglyConnected {
    private let groupOf: [Int]
    private let sizes: [Int]

    func group(of node: Int) -> Int { groupOf[node] }

    /// True if a node can reach itself.
    func isCyclic(_ node: Int, _ edges: [[Int]]) -> Bool {
        sizes[groupOf[node]] > 1 || edges[node].contains(node)
    }

    static func groups(of edges: [[Int]]) -> StronglyConnected {
        var walk = Walk(edges: edges)
        for node in edges.indices where walk.index[node] == nil { walk.visit(node) }
        return StronglyConnected(groupOf: walk.groupOf, sizes: walk.sizes)
    }

    private struct Walk {
        let edges: [[Int]]
        var index: [Int?]
        var low: [Int]
        var isOnStack: [Bool]
        var stack: [Int] = []
        var counter = 0
        var groupOf: [Int]
        var sizes: [Int] = []

        init(edges: [[Int]]) {
            self.edges = edges
            index = Array(repeating: nil, count: edges.count)
            low = Array(repeating: 0, count: edges.count)
            isOnStack = Array(repeating: false, count: edges.count)
            groupOf = Array(repeating: 0, count: edges.count)
        }

        mutating func visit(_ start: Int) {
            var calls: [(node: Int, edge: Int)] = [(start, 0)]
            open(start)
            while let (node, edge) = calls.last {
                guard edge < edges[node].count else {
                    calls.removeLast()
                    if let parent = calls.last?.node { low[parent] = min(low[parent], low[node]) }
                    if low[node] == index[node] { close(node) }
                    continue
                }
                calls[calls.count - 1].edge += 1
                let next = edges[node][edge]
                if index[next] == nil {
                    open(next)
                    calls.append((next, 0))
                } else if isOnStack[next], let found = index[next] {
                    low[node] = min(low[node], found)
                }
            }
        }

        private mutating func open(_ node: Int) {
            index[node] = counter
            low[node] = counter
            counter += 1
            stack.append(node)
            isOnStack[node] = true
        }

        private mutating func close(_ node: Int) {
            var size = 0
            while let member = stack.popLast() {
                isOnStack[member] = false
                groupOf[member] = sizes.count
                size += 1
                if member == node { break }
            }
            sizes.append(size)
        }
    }
}
